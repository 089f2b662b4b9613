#include "adapters/fake/model_file.h"

#include <gtest/gtest.h>

namespace sluice::fake {
namespace {

std::string error_of(std::string_view text) {
  const auto file = parse_model_file(text);
  return file ? "" : file.error().message;
}

TEST(ModelFile, AnEmptyFileIsAModel) {
  const auto file = parse_model_file("");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->vocabulary, 320u);
  EXPECT_EQ(file->trained_window, 8192u);
  EXPECT_TRUE(file->has_chat_template);
  EXPECT_TRUE(file->faults.empty());
}

TEST(ModelFile, EveryKeySetsItsValue) {
  const auto file = parse_model_file(R"(
# a comment
name = my model
vocabulary = 400
trained_window=1000
window = 500
end_every = 9
call_us = 20
row_us = 3
load_ms = 40
chat_template = no
kv_k_elements = 11
kv_v_elements = 12
load_error = no = weights
codec_error = no words
fault = hang after 10 calls
fault = crash after 0 calls
codec_fault = crash on a b
)");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->name, "my model");
  EXPECT_EQ(file->vocabulary, 400u);
  EXPECT_EQ(file->trained_window, 1000u);
  EXPECT_EQ(file->window, 500u);
  EXPECT_EQ(file->end_every, 9u);
  EXPECT_EQ(file->call_latency, std::chrono::microseconds(20));
  EXPECT_EQ(file->row_latency, std::chrono::microseconds(3));
  EXPECT_EQ(file->load_time, std::chrono::milliseconds(40));
  EXPECT_FALSE(file->has_chat_template);
  EXPECT_EQ(file->kv_k_elements, 11u);
  EXPECT_EQ(file->kv_v_elements, 12u);
  EXPECT_EQ(file->load_error, "no = weights");
  EXPECT_EQ(file->codec_error, "no words");
  ASSERT_EQ(file->faults.size(), 2u);
  EXPECT_EQ(file->faults[0].kind, FakeFault::hang);
  EXPECT_EQ(file->faults[0].call, 11u);
  EXPECT_EQ(file->faults[1].call, 1u);
  ASSERT_TRUE(file->codec_fault);
  EXPECT_EQ(file->codec_fault->kind, CodecFault::Kind::crash);
  EXPECT_EQ(file->codec_fault->on, "a b");
}

TEST(ModelFile, ErrorsNameTheLineAndWhatWouldWork) {
  EXPECT_EQ(error_of("\nwindo = 5"), "line 2: there is no key \"windo\"");
  EXPECT_EQ(error_of("window"), "line 1: \"window\" is not `key = value`");
  EXPECT_EQ(error_of("call_us = 1\ncall_us = 1"), "line 2: call_us is given twice");
  EXPECT_EQ(error_of("chat_template = 1"), "line 1: chat_template needs yes or no, not \"1\"");
  EXPECT_NE(error_of("vocabulary = 100"), "");
  EXPECT_NE(error_of("vocabulary = -400"), "");
  EXPECT_NE(error_of("window = 4k"), "");
  EXPECT_NE(error_of("fault = explode after 3 calls"), "");
  EXPECT_NE(error_of("fault = crash after three calls"), "");
  EXPECT_NE(error_of("fault = crash after 3 calls again"), "");
  EXPECT_NE(error_of("codec_fault = crash on "), "");
  EXPECT_NE(error_of("load_error ="), "");
}

TEST(ModelFile, ThatIsNotThereIsAnIoError) {
  const auto file = read_model_file("/nonexistent/model");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace sluice::fake
