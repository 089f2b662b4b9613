// The products that third_party/llama.cpp/tiles.h computes, against ggml's own routine for one row and one column.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "ggml-cpu.h"
#include "ggml.h"

namespace sluice::llamacpp {
namespace {

struct Case {
  ggml_type type;
  int64_t length, rows, columns;
};

std::vector<float> noise(int64_t count, uint32_t seed) {
  std::minstd_rand random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = normal(random);
  return values;
}

class Tiles : public ::testing::TestWithParam<Case> {
 protected:
  Tiles()
      : context_(ggml_init({size_t{64} << 20, nullptr, false}), ggml_free),
        weights_(noise(GetParam().length * GetParam().rows, 1)),
        inputs_(noise(GetParam().length * GetParam().columns, 2)) {}

  // Column by column, `rows` each.
  std::vector<float> multiply() {
    const Case& c = GetParam();
    ggml_tensor* weights = ggml_new_tensor_2d(context_.get(), c.type, c.length, c.rows);
    ggml_tensor* inputs = ggml_new_tensor_2d(context_.get(), GGML_TYPE_F32, c.length, c.columns);
    ggml_quantize_chunk(c.type, weights_.data(), weights->data, 0, c.rows, c.length, nullptr);
    std::memcpy(inputs->data, inputs_.data(), ggml_nbytes(inputs));
    ggml_tensor* product = ggml_mul_mat(context_.get(), weights, inputs);
    ggml_cgraph* graph = ggml_new_graph(context_.get());
    ggml_build_forward_expand(graph, product);
    EXPECT_EQ(ggml_graph_compute_with_ctx(context_.get(), graph, 2), GGML_STATUS_SUCCESS);
    const auto* values = static_cast<const float*>(product->data);
    return {values, values + c.rows * c.columns};
  }

  std::vector<float> one_by_one() const {
    const Case& c = GetParam();
    const auto* traits = ggml_get_type_traits_cpu(c.type);
    std::vector<char> weights(ggml_row_size(c.type, c.length * c.rows));
    ggml_quantize_chunk(c.type, weights_.data(), weights.data(), 0, c.rows, c.length, nullptr);
    std::vector<char> input(ggml_row_size(traits->vec_dot_type, c.length));
    std::vector<float> products;
    for (int64_t column = 0; column < c.columns; ++column) {
      ggml_get_type_traits_cpu(traits->vec_dot_type)->from_float(&inputs_[column * c.length], input.data(), c.length);
      for (int64_t row = 0; row < c.rows; ++row) {
        const char* weight_row = weights.data() + row * static_cast<int64_t>(ggml_row_size(c.type, c.length));
        traits->vec_dot(static_cast<int>(c.length), &products.emplace_back(), 0, weight_row, 0, input.data(), 0, 1);
      }
    }
    return products;
  }

 private:
  std::unique_ptr<ggml_context, void (*)(ggml_context*)> context_;
  std::vector<float> weights_, inputs_;
};

TEST_P(Tiles, HaveTheBitsOfOneRowAndOneColumn) {
  const std::vector<float> got = multiply(), wanted = one_by_one();
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i)
    ASSERT_EQ(std::memcmp(&got[i], &wanted[i], sizeof(float)), 0) << i << ": " << got[i] << " and " << wanted[i];
}

INSTANTIATE_TEST_SUITE_P(Blocks, Tiles,
                         ::testing::Values(Case{GGML_TYPE_Q4_1, 576, 192, 1}, Case{GGML_TYPE_Q4_1, 576, 192, 2},
                                           Case{GGML_TYPE_Q4_1, 576, 192, 3}, Case{GGML_TYPE_Q4_1, 1536, 64, 21},
                                           Case{GGML_TYPE_Q4_1, 32, 13, 5}, Case{GGML_TYPE_Q4_1, 64, 1, 1},
                                           Case{GGML_TYPE_Q8_0, 576, 192, 1}, Case{GGML_TYPE_Q8_0, 576, 192, 2},
                                           Case{GGML_TYPE_Q8_0, 576, 192, 3}, Case{GGML_TYPE_Q8_0, 1536, 64, 21},
                                           Case{GGML_TYPE_Q8_0, 32, 13, 5}, Case{GGML_TYPE_Q8_0, 64, 1, 1}));

}  // namespace
}  // namespace sluice::llamacpp
