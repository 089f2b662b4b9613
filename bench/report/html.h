// The few shapes that parts of a page are made of. Bodies are markup already, everything else is text. Refuses to know
// results. Thread: any. Internal to bench/report.
#pragma once

#include <string>
#include <string_view>

namespace sluice::bench::report {

std::string element(std::string_view tag, std::string_view classes, std::string_view text);
// Empty where the body is.
std::string section_of(std::string_view id, std::string_view title, std::string_view words, const std::string& body);
std::string part_of(std::string_view title, std::string_view words, const std::string& body);
std::string grid_of(const std::string& figures);
std::string figure_of(std::string_view title, std::string_view words, const std::string& picture);
std::string details_of(const std::string& summary, const std::string& body);
// Wide tables scroll by themselves.
std::string table_of(std::string_view classes, const std::string& head, const std::string& body);

}  // namespace sluice::bench::report
