// The known word nearest to one that is not known, for error messages. Refuses to know what the words mean.
// Thread: any.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sluice::config {

// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
size_t edit_distance(std::string_view a, std::string_view b);

// Absent where nothing is near enough to be meant (more than a third of the word differs). Of equally near ones the
// first.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known);

}  // namespace sluice::config
