// A thread of a pass that finds itself on the core of another one moves to a core where none of them is. Refuses to know
// passes. For ggml-cpu.c (barrier.patch), and for the tests; Linux. Thread: the one that moves.
#pragma once

#include <sched.h>
#include <stdbool.h>

// Of `allowed`, those where none of the pass's threads was. `cores`: where each was last, negative where nobody knows.
// False where `self`, which is at `here`, need not move, or cannot.
static inline bool sluice_cores_aside(const int * cores, int n_threads, int self, int here, const cpu_set_t * allowed,
                                      cpu_set_t * aside) {
    bool shared = false;
    *aside = *allowed;
    for (int i = 0; i < n_threads; i++) {
        shared = shared || (i != self && cores[i] == here);
        if (cores[i] >= 0 && cores[i] < CPU_SETSIZE) {
            CPU_CLR(cores[i], aside);
        }
    }
    return shared && CPU_COUNT(aside) > 0;
}

// It is there when this returns, and may run where it might before.
static inline void sluice_move_aside(const cpu_set_t * aside, const cpu_set_t * allowed) {
    if (sched_setaffinity(0, sizeof(*aside), aside) == 0) {
        sched_setaffinity(0, sizeof(*allowed), allowed);
    }
}
