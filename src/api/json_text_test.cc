#include "api/json_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace sluice::api {
namespace {

TEST(JsonText, StringsAreEscapedWhereJsonWantsIt) {
  EXPECT_EQ(quoted("a\"b\\c\nd\te\r\b\f"), R"("a\"b\\c\nd\te\r\b\f")");
  EXPECT_EQ(quoted(std::string_view("\0\x1f\x7f", 3)), "\"\\u0000\\u001f\x7f\"");
  EXPECT_EQ(quoted("é😀"), "\"é😀\"");
}

TEST(JsonText, BrokenUtf8BecomesTheReplacementCharacter) { EXPECT_EQ(quoted("a\xff\"z"), "\"a\xEF\xBF\xBD\\\"z\""); }

TEST(JsonText, NumbersReadAsTheSame) {
  std::string out;
  for (const double value : {0.1, -2.0, 1e300}) {
    append_number(out, value);
    out += ' ';
  }
  append_number(out, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(out, "0.1 -2 1e+300 null");
}

TEST(JsonText, AnObjectPutsItsCommasItself) {
  std::string out;
  JsonObject object(out);
  object.text("a", "x").integer("b", -3).number("c", 0.5).raw("d", "null");
  JsonObject inner(object.key("e"));
  inner.end();
  object.end();
  EXPECT_EQ(out, R"({"a":"x","b":-3,"c":0.5,"d":null,"e":{}})");
}

}  // namespace
}  // namespace sluice::api
