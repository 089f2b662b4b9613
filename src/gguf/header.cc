#include "gguf/header.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/limits.h"
#include "gguf/byte_reader.h"

namespace sluice::gguf {
namespace {

// As the file has them.
enum class Type : uint8_t { u8, i8, u16, i16, u32, i32, f32, boolean, string, array, u64, i64, f64 };
constexpr uint32_t kTypes = 13;
constexpr uint64_t kDimensionsMax = 4;
constexpr uint64_t kAlignmentDefault = 32;

// Bytes of one value of fixed size; 0 for strings and arrays.
constexpr std::array<uint8_t, kTypes> kFixedBytes = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

std::optional<Type> read_type(ByteReader& in) {
  const auto raw = in.number<uint32_t>();
  if (raw >= kTypes) in.fail(fmt::format("a value of unknown type {}", raw));
  return in.failed() ? std::nullopt : std::optional(static_cast<Type>(raw));
}

Array read_array(ByteReader& in);

Value read_value(ByteReader& in, Type type) {
  switch (type) {
    case Type::u8: return uint64_t{in.number<uint8_t>()};
    case Type::i8: return int64_t{in.number<int8_t>()};
    case Type::u16: return uint64_t{in.number<uint16_t>()};
    case Type::i16: return int64_t{in.number<int16_t>()};
    case Type::u32: return uint64_t{in.number<uint32_t>()};
    case Type::i32: return int64_t{in.number<int32_t>()};
    case Type::f32: return double{in.number<float>()};
    case Type::boolean: return in.number<uint8_t>() != 0;
    case Type::string: return in.text(limits::gguf_string_bytes_max);
    case Type::array: return read_array(in);
    case Type::u64: return in.number<uint64_t>();
    case Type::i64: return in.number<int64_t>();
    case Type::f64: return in.number<double>();
  }
  return uint64_t{0};
}

double as_number(const Value& value) {
  if (const auto* u = std::get_if<uint64_t>(&value)) return static_cast<double>(*u);
  if (const auto* i = std::get_if<int64_t>(&value)) return static_cast<double>(*i);
  if (const auto* f = std::get_if<double>(&value)) return *f;
  if (const auto* b = std::get_if<bool>(&value)) return *b ? 1 : 0;
  return 0;
}

Array read_array(ByteReader& in) {
  const auto type = read_type(in);
  Array array{in.number<uint64_t>(), {}};
  if (array.items > limits::gguf_array_items_max) in.fail(fmt::format("an array of {} items", array.items));
  if (type == Type::array) in.fail("an array of arrays");
  if (in.failed()) return {};
  if (*type == Type::string) {
    for (uint64_t i = 0; i < array.items && !in.failed(); ++i) in.skip_text(limits::gguf_string_bytes_max);
  } else if (array.items > limits::gguf_kept_items_max) {
    in.skip(array.items * kFixedBytes[static_cast<uint32_t>(*type)]);
  } else {
    for (uint64_t i = 0; i < array.items && !in.failed(); ++i)
      array.numbers.push_back(as_number(read_value(in, *type)));
  }
  return array;
}

// Where the tensor begins, relative to the data section.
uint64_t read_tensor_offset(ByteReader& in) {
  in.skip_text(limits::gguf_string_bytes_max);
  const auto dimensions = in.number<uint32_t>();
  if (dimensions > kDimensionsMax) in.fail(fmt::format("a tensor of {} dimensions", dimensions));
  in.skip(dimensions * sizeof(uint64_t));
  in.skip(sizeof(uint32_t));  // its type
  return in.number<uint64_t>();
}

bool printable(std::string_view bytes) {
  for (const unsigned char c : bytes)
    if (c < 0x20 || c > 0x7e) return false;
  return !bytes.empty();
}

std::string starts_with(std::string_view bytes) {
  if (bytes.empty()) return "it is empty";
  if (printable(bytes)) return fmt::format("it starts with \"{}\"", bytes);
  std::string hex;
  for (const unsigned char c : bytes) hex += fmt::format("{}{:02x}", hex.empty() ? "" : " ", c);
  return fmt::format("it starts with the bytes {}", hex);
}

Result<uint32_t> read_version(ByteReader& in) {
  std::array<char, 4> magic{};
  const auto have = std::min<uint64_t>(in.left(), magic.size());
  for (uint64_t i = 0; i < have; ++i) magic[i] = in.number<char>();
  if (std::string_view(magic.data(), have) != "GGUF")
    return fail(ErrorCode::invalid, "not a GGUF file: " + starts_with({magic.data(), have}));
  const auto version = in.number<uint32_t>();
  if (in.failed()) return std::unexpected(*in.error());
  if (version == 2 || version == 3) return version;
  if (const auto swapped = __builtin_bswap32(version); swapped >= 1 && swapped <= 3)
    return fail(ErrorCode::invalid, "a big-endian GGUF file; this machine needs a little-endian one");
  return fail(ErrorCode::invalid, fmt::format("GGUF version {}; versions 2 and 3 can be read", version));
}

Result<void> check_tensors(ByteReader& in, uint64_t tensors, uint64_t alignment) {
  uint64_t last = 0;
  for (uint64_t i = 0; i < tensors && !in.failed(); ++i) last = std::max(last, read_tensor_offset(in));
  if (in.failed()) return std::unexpected(*in.error());
  if (tensors == 0) return {};
  const uint64_t data = (in.position() + alignment - 1) / alignment * alignment;
  const uint64_t size = in.position() + in.left();
  if (data < size && last < size - data) return {};
  return fail(ErrorCode::invalid, fmt::format("truncated: a tensor begins {} bytes into the data, which starts at byte "
                                              "{} of {}",
                                              last, data, size));
}

}  // namespace

Result<Header> Header::read(const std::string& path) {
  std::error_code status;
  if (!std::filesystem::exists(path, status)) return fail(ErrorCode::not_found, path + ": no such file");
  if (!std::filesystem::is_regular_file(path, status)) return fail(ErrorCode::invalid, path + ": not a file");
  const auto bytes = std::filesystem::file_size(path, status);
  std::ifstream in(path, std::ios::binary);
  if (status || !in)
    return fail(ErrorCode::io, fmt::format("{}: cannot be read: {}", path, std::generic_category().message(errno)));
  auto header = parse(in, bytes);
  if (!header) header.error().message = path + ": " + header.error().message;
  return header;
}

Result<Header> Header::parse(std::istream& stream, uint64_t file_bytes) {
  ByteReader in(stream, file_bytes);
  const auto version = read_version(in);
  if (!version) return std::unexpected(version.error());
  Header header;
  header.version_ = *version;
  header.file_bytes_ = file_bytes;
  header.tensors_ = in.number<uint64_t>();
  const auto pairs = in.number<uint64_t>();
  if (header.tensors_ > limits::gguf_tensors_max) in.fail(fmt::format("a header of {} tensors", header.tensors_));
  if (pairs > limits::gguf_pairs_max) in.fail(fmt::format("a header of {} keys", pairs));
  for (uint64_t i = 0; i < pairs && !in.failed(); ++i) {
    auto key = in.text(limits::gguf_key_bytes_max);
    const auto type = read_type(in);
    if (!type) break;
    auto value = read_value(in, *type);
    if (!header.values_.emplace(std::move(key), std::move(value)).second) in.fail("a key that is there twice");
    if (in.position() > limits::gguf_header_bytes_max) in.fail("a header without end");
  }
  if (in.failed()) return std::unexpected(*in.error());
  const auto alignment = header.unsigned_of("general.alignment").value_or(kAlignmentDefault);
  if (alignment > limits::gguf_alignment_max || !std::has_single_bit(alignment))
    return fail(ErrorCode::invalid, fmt::format("an alignment of {}", alignment));
  if (auto checked = check_tensors(in, header.tensors_, alignment); !checked) return std::unexpected(checked.error());
  return header;
}

const Value* Header::find(std::string_view key) const {
  const auto it = values_.find(key);
  return it == values_.end() ? nullptr : &it->second;
}

std::optional<uint64_t> Header::unsigned_of(std::string_view key) const {
  const auto* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (const auto* u = std::get_if<uint64_t>(value)) return *u;
  if (const auto* i = std::get_if<int64_t>(value); i != nullptr && *i >= 0) return static_cast<uint64_t>(*i);
  return std::nullopt;
}

std::optional<std::string> Header::text_of(std::string_view key) const {
  const auto* value = find(key);
  const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return text == nullptr ? std::nullopt : std::optional(*text);
}

std::optional<std::vector<uint64_t>> Header::per_layer(std::string_view key, uint64_t items) const {
  if (const auto scalar = unsigned_of(key)) return std::vector<uint64_t>(items, *scalar);
  const auto* value = find(key);
  const auto* array = value == nullptr ? nullptr : std::get_if<Array>(value);
  if (array == nullptr || array->numbers.size() < items) return std::nullopt;
  std::vector<uint64_t> numbers;
  for (uint64_t i = 0; i < items; ++i) {
    const double number = array->numbers[i];
    if (!(number >= 0 && number < 0x1p53)) return std::nullopt;
    numbers.push_back(static_cast<uint64_t>(number));
  }
  return numbers;
}

uint64_t Header::array_items(std::string_view key) const {
  const auto* value = find(key);
  const auto* array = value == nullptr ? nullptr : std::get_if<Array>(value);
  return array == nullptr ? 0 : array->items;
}

}  // namespace sluice::gguf
