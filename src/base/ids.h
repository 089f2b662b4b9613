// Strong ids: objects of other folders are named by id, never by pointer. Thread: any.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace sluice {

template <class Tag, class Raw>
struct Id {
  Raw raw{};
  auto operator<=>(const Id&) const = default;
};

using GenerationId = Id<struct GenerationTag, uint64_t>;  // unique within one daemon's life; 0 names none
using SequenceId = Id<struct SequenceTag, int32_t>;       // 0 .. sequences-1 of one runtime

}  // namespace sluice

template <class Tag, class Raw>
struct std::hash<sluice::Id<Tag, Raw>> {
  size_t operator()(const sluice::Id<Tag, Raw>& id) const noexcept { return std::hash<Raw>{}(id.raw); }
};
