// Foreign text (names of servers, what they wrote, what they were started with) as text of a page, never as markup.
// Refuses to know what it says. Thread: any. Internal to bench/report.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::bench::report {

// For HTML and SVG, in elements and in quoted attributes. What no page may contain becomes U+FFFD.
std::string escaped(std::string_view text);
// For a cell of a Markdown table: on one line, without its markup.
std::string markdown_escaped(std::string_view text);
// An indented code block of Markdown.
std::string markdown_code(std::string_view text);
// At most `characters`, with an ellipsis where something is cut off.
std::string shortened(std::string_view text, size_t characters);
size_t character_count(std::string_view text);
// The file's name of a path.
std::string_view base_name(std::string_view path);
// A command line as a shell would take it.
std::string command_line(const std::vector<std::string>& words);

}  // namespace sluice::bench::report
