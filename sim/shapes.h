// The kinds of scenario: each fills in all but the seed. Refuses to know how a run goes. Thread: any (pure).
#pragma once

#include "sim/random.h"
#include "sim/scenario.h"

namespace sluice::sim {

void make_storm(Scenario& scenario, Random& random);
void make_house(Scenario& scenario, Random& random);
void make_newcomers(Scenario& scenario, Random& random);
void make_two_keys(Scenario& scenario, Random& random);
void make_better_ones(Scenario& scenario, Random& random);
void make_many_keys(Scenario& scenario, Random& random);

}  // namespace sluice::sim
