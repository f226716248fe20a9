#include "kernels.h"

#include <string.h>

// Integers only, so that all variants, which the compiler generates from the same code, produce the same bytes.
#define INLINE static inline __attribute__((always_inline))

// Adds up columns of `rows` samples, and squares of `side` of the sums: rounded averages of `side` times `rows` samples.
INLINE void average(
  uint8_t *averages, const uint8_t *row, uint32_t width, uint32_t rows, uint32_t side, uint16_t *sums) {
  for (uint32_t x = 0; x < width; x++) sums[x] = row[x];
  for (uint32_t y = 1; y < rows; y++) {
    row += width;
    for (uint32_t x = 0; x < width; x++) sums[x] = (uint16_t)(sums[x] + row[x]);
  }
  const uint32_t whole = width / side, rest = width % side, area = side * rows;
  if (rows == side) {
    for (uint32_t i = 0; i < whole; i++) {
      uint16_t sum = (uint16_t)(area / 2);
      for (uint32_t k = 0; k < side; k++) sum = (uint16_t)(sum + sums[i * side + k]);
      // The area is a power of two, and 64 samples of 255 fit into 16 bits.
      averages[i] = (uint8_t)(sum / area);
    }
  } else {
    for (uint32_t i = 0; i < whole; i++) {
      uint32_t sum = area / 2;
      for (uint32_t k = 0; k < side; k++) sum += sums[i * side + k];
      averages[i] = (uint8_t)(sum / area);
    }
  }
  if (rest == 0) return;
  uint32_t sum = rest * rows / 2;
  for (uint32_t k = 0; k < rest; k++) sum += sums[whole * side + k];
  averages[whole] = (uint8_t)(sum / (rest * rows));
}

INLINE uint8_t clamped(int32_t value) {
  value >>= 14;
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

// The factors of ITU-R BT.601 for luma from 16 to 235 and chroma from 16 to 240, in units of 1/16384.
INLINE void convert(uint8_t *pixels, const uint8_t *ys, const uint8_t *us, const uint8_t *vs, size_t count) {
  for (size_t x = 0; x < count; x++) {
    const int32_t y = (ys[x] - 16) * 19077 + 8192, u = us[x] - 128, v = vs[x] - 128;
    pixels[x * 4] = clamped(y + 26149 * v);
    pixels[x * 4 + 1] = clamped(y - 6419 * u - 13320 * v);
    pixels[x * 4 + 2] = clamped(y + 33050 * u);
    pixels[x * 4 + 3] = 255;
  }
}

INLINE uint32_t less(uint32_t a, uint32_t b) { return a < b ? a : b; }

INLINE void reduce(
  uint8_t *pixels, const nuke_planes_420 *planes, uint32_t denominator, uint32_t first, uint32_t count,
  uint16_t *scratch) {
  const uint32_t width = planes->width, height = planes->height, side = denominator / 2;
  const uint32_t chroma_width = (width + 1) / 2, chroma_height = (height + 1) / 2;
  const size_t result_width = (width - 1) / denominator + 1;
  uint8_t *ys = (uint8_t *)(scratch + width), *us = ys + result_width, *vs = us + result_width;
  for (uint32_t i = 0; i < count; i++, pixels += result_width * 4) {
    const uint32_t y = (first + i) * denominator, chroma_y = (first + i) * side;
    const size_t offset = (size_t)chroma_y * chroma_width;
    const uint32_t rows = less(denominator, height - y), chroma_rows = less(side, chroma_height - chroma_y);
    average(ys, planes->y + (size_t)y * width, width, rows, denominator, scratch);
    average(us, planes->u + offset, chroma_width, chroma_rows, side, scratch);
    average(vs, planes->v + offset, chroma_width, chroma_rows, side, scratch);
    convert(pixels, ys, us, vs, result_width);
  }
}

// With a constant number, so that the compiler specializes each loop.
INLINE void reduce_any(
  uint8_t *pixels, const nuke_planes_420 *planes, uint32_t denominator, uint32_t first, uint32_t count,
  uint16_t *scratch) {
  if (denominator == 2) reduce(pixels, planes, 2, first, count, scratch);
  if (denominator == 4) reduce(pixels, planes, 4, first, count, scratch);
  if (denominator == 8) reduce(pixels, planes, 8, first, count, scratch);
}

#if NUKE_X86
NUKE_AVX2 static void reduce_avx2(
  uint8_t *pixels, const nuke_planes_420 *planes, uint32_t denominator, uint32_t first, uint32_t count,
  uint16_t *scratch) {
  reduce_any(pixels, planes, denominator, first, count, scratch);
}
#endif

void nuke_reduce_420(
  uint8_t *pixels, const nuke_planes_420 *planes, uint32_t denominator, uint32_t first, uint32_t count,
  uint16_t *scratch) {
#if NUKE_X86
  const nuke_kernel_variant variant = nuke_kernels_best()->variant;
  if (variant == nuke_kernel_variant_avx2 || variant == nuke_kernel_variant_avx512) {
    return reduce_avx2(pixels, planes, denominator, first, count, scratch);
  }
#endif
  reduce_any(pixels, planes, denominator, first, count, scratch);
}
