#include "tuning/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/fnv.h"

namespace sluice::tuning {
namespace {

constexpr uint64_t kHeadBytes = 4u << 20;  // settings and the start of the vocabulary
constexpr uint64_t kPieceBytes = 256u << 10;
constexpr uint64_t kPieces = 16;

bool add_piece(std::ifstream& file, uint64_t from, uint64_t bytes, uint64_t& hash) {
  std::string piece(bytes, '\0');
  file.seekg(static_cast<std::streamoff>(from));
  if (!file.read(piece.data(), static_cast<std::streamsize>(bytes))) return false;
  hash = fnv1a(piece, hash);
  return true;
}

}  // namespace

Result<std::string> fingerprint_of(const std::string& path) {
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(path, error);
  if (error) return fail(ErrorCode::io, fmt::format("{}: {}", path, error.message()));
  std::ifstream file(path, std::ios::binary);
  uint64_t hash = kFnvStart;
  bool read = add_piece(file, 0, std::min(size, kHeadBytes), hash);
  const uint64_t piece = std::min(size, kPieceBytes);
  for (uint64_t i = 1; i <= kPieces; ++i) read = read && add_piece(file, (size - piece) / kPieces * i, piece, hash);
  read = read && add_piece(file, size - piece, piece, hash);
  if (!read) return fail(ErrorCode::io, fmt::format("{}: cannot be read", path));
  return fmt::format("{}-{}", size, hex16(hash));
}

}  // namespace sluice::tuning
