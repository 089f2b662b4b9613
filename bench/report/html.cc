#include "bench/report/html.h"

#include <fmt/format.h>

#include "bench/report/text.h"

namespace sluice::bench::report {

std::string element(std::string_view tag, std::string_view classes, std::string_view text) {
  const std::string with = classes.empty() ? "" : fmt::format(" class=\"{}\"", classes);
  return fmt::format("<{0}{1}>{2}</{0}>", tag, with, escaped(text));
}

std::string section_of(std::string_view id, std::string_view title, std::string_view words, const std::string& body) {
  if (body.empty()) return "";
  return fmt::format("<section id=\"{}\">\n{}{}\n{}</section>\n", id, element("h2", "", title),
                     words.empty() ? "" : element("p", "words", words), body);
}

std::string part_of(std::string_view title, std::string_view words, const std::string& body) {
  if (body.empty()) return "";
  return fmt::format("{}{}\n{}", element("h3", "", title), words.empty() ? "" : element("p", "words", words), body);
}

std::string grid_of(const std::string& figures) {
  return figures.empty() ? "" : fmt::format("<div class=\"grid\">\n{}</div>\n", figures);
}

std::string figure_of(std::string_view title, std::string_view words, const std::string& picture) {
  if (picture.empty()) return "";
  return fmt::format("<figure><figcaption>{} {}</figcaption>{}</figure>\n", element("b", "", title),
                     words.empty() ? "" : element("span", "", words), picture);
}

std::string details_of(const std::string& summary, const std::string& body) {
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", summary, body);
}

std::string table_of(std::string_view classes, const std::string& head, const std::string& body) {
  if (body.empty()) return "";
  return fmt::format("<div class=\"scroll\"><table class=\"{}\"><thead>{}</thead>\n<tbody>{}</tbody></table></div>\n",
                     classes, head, body);
}

}  // namespace sluice::bench::report
