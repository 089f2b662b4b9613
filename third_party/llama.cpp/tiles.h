// sluice: products of a matrix in blocks (Q4_1, Q8_0) with several columns, eight rows and up to four columns at a
// time, so that a block is unpacked once for all of them. Every output is added up in the order of
// ggml_vec_dot_q4_1_q8_1() and ggml_vec_dot_q8_0_q8_0(): eight partial sums of fused multiply-adds along the blocks,
// then the same horizontal sum. How many columns and rows there are changes no bit. Included by ggml-cpu.c alone
// (tiles.patch). For AVX-512 with VNNI.
#pragma once

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512VNNI__)
#define GGML_TILES

enum { GGML_TILE_ROWS = 8, GGML_TILE_PAIRS = 4, GGML_TILE_COLUMNS = 4 };

static inline bool ggml_tile_has(enum ggml_type type) { return type == GGML_TYPE_Q4_1 || type == GGML_TYPE_Q8_0; }

// Blocks of two rows, a byte for each value: the first row's in the low half.
static inline __m512i ggml_tile_q4_1(const block_q4_1* a, const block_q4_1* b) {
  const __m512i shift = _mm512_set_epi64(4, 4, 0, 0, 4, 4, 0, 0);
  const __m512i nibbles = _mm512_mask_broadcast_i32x4(_mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i*)a->qs)),
                                                      0xff00, _mm_loadu_si128((const __m128i*)b->qs));
  return _mm512_and_si512(_mm512_srlv_epi64(nibbles, shift), _mm512_set1_epi8(15));
}

// Moved up by 128, since one factor of the products has no sign.
static inline __m512i ggml_tile_q8_0(const block_q8_0* a, const block_q8_0* b) {
  const __m512i low = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i*)a->qs));
  const __m512i both = _mm512_inserti64x4(low, _mm256_loadu_si256((const __m256i*)b->qs), 1);
  return _mm512_xor_si512(both, _mm512_set1_epi8((char)0x80));
}

// The sums of eight rows, in pairs of eight partial sums each, as hsum_float_8() makes them.
static inline __m256 ggml_tile_sums(const __m512 pairs[GGML_TILE_PAIRS]) {
  __m512 part[2];
  for (int i = 0; i < 2; i++) {
    const __m512 a = pairs[2 * i], b = pairs[2 * i + 1];
    const __m512 four = _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0xdd), _mm512_shuffle_f32x4(a, b, 0x88));
    const __m512 two = _mm512_add_ps(four, _mm512_permute_ps(four, 0xee));
    part[i] = _mm512_add_ps(two, _mm512_permute_ps(two, 0xf5));
  }
  const __m512i first = _mm512_set_epi32(0, 0, 0, 0, 0, 0, 0, 0, 28, 24, 20, 16, 12, 8, 4, 0);
  return _mm512_castps512_ps256(_mm512_permutex2var_ps(part[0], first, part[1]));
}

// Block `i` of the eight rows.
struct ggml_tile_rows {
  __m512i values[GGML_TILE_PAIRS];
  __m256 scales, minima;  // of each row; Q8_0 has no minima
};

static inline __attribute__((always_inline)) struct ggml_tile_rows ggml_tile_load(
    const enum ggml_type type, const char* const rows[GGML_TILE_ROWS], int64_t i) {
  struct ggml_tile_rows x;
  if (type == GGML_TYPE_Q4_1) {
    const block_q4_1* b[GGML_TILE_ROWS];
    for (int r = 0; r < GGML_TILE_ROWS; r++) b[r] = (const block_q4_1*)rows[r] + i;
    for (int p = 0; p < GGML_TILE_PAIRS; p++) x.values[p] = ggml_tile_q4_1(b[2 * p], b[2 * p + 1]);
    const __m256i both =
        _mm256_set_epi32(b[7]->dm, b[6]->dm, b[5]->dm, b[4]->dm, b[3]->dm, b[2]->dm, b[1]->dm, b[0]->dm);
    x.scales = _mm256_cvtph_ps(_mm256_cvtepi32_epi16(both));
    x.minima = _mm256_cvtph_ps(_mm256_cvtepi32_epi16(_mm256_srli_epi32(both, 16)));
  } else {
    const block_q8_0* b[GGML_TILE_ROWS];
    for (int r = 0; r < GGML_TILE_ROWS; r++) b[r] = (const block_q8_0*)rows[r] + i;
    for (int p = 0; p < GGML_TILE_PAIRS; p++) x.values[p] = ggml_tile_q8_0(b[2 * p], b[2 * p + 1]);
    x.scales = _mm256_cvtph_ps(_mm_set_epi16(b[7]->d, b[6]->d, b[5]->d, b[4]->d, b[3]->d, b[2]->d, b[1]->d, b[0]->d));
    x.minima = _mm256_setzero_ps();
  }
  return x;
}

// Block `i` of a column.
struct ggml_tile_column {
  __m512i values;
  __m512i start;     // what the rows' 128 adds too much, negative
  float scale, sum;  // the sum times the scale, for the minima
};

static inline __attribute__((always_inline)) struct ggml_tile_column ggml_tile_load_column(const enum ggml_type type,
                                                                                           const char* column,
                                                                                           int64_t i) {
  struct ggml_tile_column y;
  const __m512i zero = _mm512_setzero_si512();
  if (type == GGML_TYPE_Q4_1) {
    const block_q8_1* b = (const block_q8_1*)column + i;
    y.values = _mm512_broadcast_i64x4(_mm256_loadu_si256((const __m256i*)b->qs));
    y.start = zero;
    y.scale = _cvtsh_ss(b->d);
    y.sum = _cvtsh_ss(b->s);
  } else {
    const block_q8_0* b = (const block_q8_0*)column + i;
    y.values = _mm512_broadcast_i64x4(_mm256_loadu_si256((const __m256i*)b->qs));
    y.start = _mm512_sub_epi32(zero, _mm512_dpbusd_epi32(zero, _mm512_set1_epi8((char)0x80), y.values));
    y.scale = _cvtsh_ss(b->d);
    y.sum = 0;
  }
  return y;
}

static inline __attribute__((always_inline)) void ggml_tile(const enum ggml_type type, const int n_columns,
                                                            int64_t blocks, float* out, size_t out_stride,
                                                            const char* const rows[GGML_TILE_ROWS], int n_rows,
                                                            const char* columns, size_t column_stride) {
  const __m512i upper = _mm512_set_epi32(1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0);
  __m512 sums[GGML_TILE_COLUMNS][GGML_TILE_PAIRS];
  __m256 offsets[GGML_TILE_COLUMNS];
  for (int c = 0; c < n_columns; c++) {
    offsets[c] = _mm256_setzero_ps();
    for (int p = 0; p < GGML_TILE_PAIRS; p++) sums[c][p] = _mm512_setzero_ps();
  }
  for (int64_t i = 0; i < blocks; i++) {
    const struct ggml_tile_rows x = ggml_tile_load(type, rows, i);
    __m512 scales[GGML_TILE_PAIRS];
    for (int p = 0; p < GGML_TILE_PAIRS; p++) {
      const __m512i row = _mm512_add_epi32(upper, _mm512_set1_epi32(2 * p));
      scales[p] = _mm512_permutexvar_ps(row, _mm512_castps256_ps512(x.scales));
    }
    for (int c = 0; c < n_columns; c++) {
      const struct ggml_tile_column y = ggml_tile_load_column(type, columns + c * column_stride, i);
      if (type == GGML_TYPE_Q4_1) offsets[c] = _mm256_fmadd_ps(x.minima, _mm256_set1_ps(y.sum), offsets[c]);
      for (int p = 0; p < GGML_TILE_PAIRS; p++) {
        const __m512 products = _mm512_cvtepi32_ps(_mm512_dpbusd_epi32(y.start, x.values[p], y.values));
        sums[c][p] = _mm512_fmadd_ps(_mm512_mul_ps(scales[p], _mm512_set1_ps(y.scale)), products, sums[c][p]);
      }
    }
  }
  const __mmask8 stored = (__mmask8)((1u << n_rows) - 1);
  for (int c = 0; c < n_columns; c++) {
    _mm256_mask_storeu_ps(out + c * out_stride, stored, _mm256_add_ps(ggml_tile_sums(sums[c]), offsets[c]));
  }
}

// out[column*out_stride + row] for `n_rows` rows and `n_columns` columns; strides of rows and columns in bytes.
static void ggml_tiles(enum ggml_type type, int64_t blocks, float* out, size_t out_stride, const char* rows,
                       size_t row_stride, int64_t n_rows, const char* columns, size_t column_stride,
                       int64_t n_columns) {
  for (int64_t r = 0; r < n_rows; r += GGML_TILE_ROWS) {
    const int some_rows = n_rows - r < GGML_TILE_ROWS ? (int)(n_rows - r) : GGML_TILE_ROWS;
    const char* row[GGML_TILE_ROWS];  // the last one again where there are fewer
    for (int i = 0; i < GGML_TILE_ROWS; i++) row[i] = rows + (r + (i < some_rows ? i : some_rows - 1)) * row_stride;
    for (int64_t c = 0; c < n_columns; c += GGML_TILE_COLUMNS) {
      float* to = out + c * out_stride + r;
      const char* from = columns + c * column_stride;
      switch ((type == GGML_TYPE_Q4_1 ? 0 : 4) + (n_columns - c < 4 ? n_columns - c - 1 : 3)) {
#define GGML_TILE_CASE(n, type, columns) \
  case n: ggml_tile(type, columns, blocks, to, out_stride, row, some_rows, from, column_stride); break
        GGML_TILE_CASE(0, GGML_TYPE_Q4_1, 1);
        GGML_TILE_CASE(1, GGML_TYPE_Q4_1, 2);
        GGML_TILE_CASE(2, GGML_TYPE_Q4_1, 3);
        GGML_TILE_CASE(3, GGML_TYPE_Q4_1, 4);
        GGML_TILE_CASE(4, GGML_TYPE_Q8_0, 1);
        GGML_TILE_CASE(5, GGML_TYPE_Q8_0, 2);
        GGML_TILE_CASE(6, GGML_TYPE_Q8_0, 3);
        GGML_TILE_CASE(7, GGML_TYPE_Q8_0, 4);
#undef GGML_TILE_CASE
      }
    }
  }
}
#endif
