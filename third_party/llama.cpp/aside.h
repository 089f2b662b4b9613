// A thread of a pool that finds itself on the core of another one moves to a core where none of them is. Refuses to know
// passes. For ggml-cpu.c (barrier.patch), and for the tests; Linux. Thread: the one that moves.
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <string.h>

// Whether another one than `self`, which is at `here`, was last on the same core. `cores`: where each was; negative where
// nobody knows.
static inline bool sluice_shares_core(const int * cores, int n_threads, int self, int here) {
    bool shares = false;
    for (int i = 0; i < n_threads; i++) {
        shares = shares || (i != self && here >= 0 && cores[i] == here);
    }
    return shares;
}

// Of `allowed`, those where none of them was. False: there is none.
static inline bool sluice_cores_aside(const int * cores, int n_threads, const cpu_set_t * allowed, cpu_set_t * aside) {
    *aside = *allowed;
    for (int i = 0; i < n_threads; i++) {
        if (cores[i] >= 0 && cores[i] < CPU_SETSIZE) {
            CPU_CLR(cores[i], aside);
        }
    }
    return CPU_COUNT(aside) > 0;
}

// What is asked for stays with a thread, and narrows what its machine's owner gives it later (Linux 6.2 and on): where
// nothing else narrows it now, it is to ask for everything.
static inline void sluice_may_run_on(const cpu_set_t * allowed) {
    cpu_set_t all, now;
    memset(&all, 0xff, sizeof(all));
    if (sched_setaffinity(0, sizeof(all), &all) == 0 && sched_getaffinity(0, sizeof(now), &now) == 0 &&
        CPU_EQUAL(&now, allowed)) {
        return;
    }
    sched_setaffinity(0, sizeof(*allowed), allowed);
}

// It is there when this returns, and may run where it might before.
static inline void sluice_move_aside(const cpu_set_t * aside, const cpu_set_t * allowed) {
    if (sched_setaffinity(0, sizeof(*aside), aside) == 0) {
        sluice_may_run_on(allowed);
    }
}
