#include "gguf/byte_reader.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace sluice::gguf {

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie in the file");

std::string ByteReader::text(uint64_t bytes_max) {
  std::string value(text_length(bytes_max), '\0');
  take(value.data(), value.size());
  return failed() ? std::string{} : value;
}

void ByteReader::skip(uint64_t bytes) {
  if (!has(bytes)) return;
  in_.seekg(static_cast<std::streamoff>(bytes), std::ios::cur);
  if (!in_) return fail("cannot be read");
  position_ += bytes;
}

void ByteReader::fail(std::string what) {
  if (!failed()) error_ = Error{ErrorCode::invalid, fmt::format("{} (at byte {})", what, position_), {}};
}

uint64_t ByteReader::text_length(uint64_t bytes_max) {
  const auto bytes = number<uint64_t>();
  if (failed()) return 0;
  if (bytes > bytes_max) fail(fmt::format("a string of {} bytes, more than the {} allowed", bytes, bytes_max));
  return has(bytes) ? bytes : 0;
}

void ByteReader::take(void* to, uint64_t bytes) {
  if (!has(bytes) || bytes == 0) return;
  in_.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
  if (in_.gcount() != static_cast<std::streamsize>(bytes)) {
    std::memset(to, 0, bytes);
    return fail("cannot be read");
  }
  position_ += bytes;
}

bool ByteReader::has(uint64_t bytes) {
  if (failed()) return false;
  if (bytes > left()) fail(fmt::format("truncated: {} bytes wanted, {} left", bytes, left()));
  return !failed();
}

}  // namespace sluice::gguf
