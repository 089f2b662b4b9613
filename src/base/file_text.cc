#include "base/file_text.h"

#include <fstream>

namespace sluice {

// By read(), which says that it failed; an iterator over the buffer throws.
std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  char part[4096];
  for (;;) {
    file.read(part, sizeof part);
    if (file.gcount() == 0) return text;
    text.append(part, static_cast<size_t>(file.gcount()));
  }
}

}  // namespace sluice
