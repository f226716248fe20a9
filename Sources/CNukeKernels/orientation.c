#include "CNukeOrientation.h"

#include <string.h>

typedef uint32_t pixels4 __attribute__((vector_size(16)));

static inline uint32_t load1(const uint8_t *p) {
  uint32_t pixel;
  memcpy(&pixel, p, sizeof pixel);
  return pixel;
}

static inline void store1(uint8_t *p, uint32_t pixel) { memcpy(p, &pixel, sizeof pixel); }

static inline pixels4 load4(const uint8_t *p) {
  pixels4 pixels;
  memcpy(&pixels, p, sizeof pixels);
  return pixels;
}

static inline void store4(uint8_t *p, pixels4 pixels) { memcpy(p, &pixels, sizeof pixels); }

void nuke_mirror_rows(
  uint8_t *destination, ptrdiff_t destination_stride, const uint8_t *source, ptrdiff_t source_stride, size_t width,
  size_t height) {
  for (size_t y = 0; y < height; y++) {
    const uint8_t *from = source + (ptrdiff_t)y * source_stride;
    uint8_t *to = destination + (ptrdiff_t)y * destination_stride + width * 4;
    size_t x = 0;
    for (; x + 4 <= width; x += 4) {
      pixels4 pixels = load4(from + x * 4);
      store4(to - x * 4 - 16, __builtin_shufflevector(pixels, pixels, 3, 2, 1, 0));
    }
    for (; x < width; x++) store1(to - x * 4 - 4, load1(from + x * 4));
  }
}

// A block of four by four pixels.
static inline void transpose_block(
  uint8_t *destination, ptrdiff_t destination_stride, const uint8_t *source, ptrdiff_t source_stride) {
  pixels4 a = load4(source), b = load4(source + source_stride);
  pixels4 c = load4(source + 2 * source_stride), d = load4(source + 3 * source_stride);
  pixels4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  pixels4 cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  store4(destination, __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5));
  store4(destination + destination_stride, __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7));
  store4(destination + 2 * destination_stride, __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
  store4(destination + 3 * destination_stride, __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
}

// A tile is one cache line wide and as high as fits into the L1 cache (16 KiB), so that the result is written in long
// runs while each line of the source is read once. Square tiles took 1.6 times as long, and 2.6 times with rows of 16
// KiB.
enum { tile_width = 16, tile_height = 256 };

void nuke_transpose(
  uint8_t *destination, ptrdiff_t destination_stride, const uint8_t *source, ptrdiff_t source_stride, size_t width,
  size_t height) {
  for (size_t top = 0; top < height; top += tile_height) {
    size_t bottom = height - top < tile_height ? height : top + tile_height;
    for (size_t left = 0; left < width; left += tile_width) {
      size_t right = width - left < tile_width ? width : left + tile_width;
      size_t x = left;
      for (; x + 4 <= right; x += 4) {
        const uint8_t *from = source + x * 4;
        uint8_t *to = destination + (ptrdiff_t)x * destination_stride;
        size_t y = top;
        for (; y + 4 <= bottom; y += 4) {
          transpose_block(to + y * 4, destination_stride, from + (ptrdiff_t)y * source_stride, source_stride);
        }
        for (; y < bottom; y++) {
          for (size_t i = 0; i < 4; i++) {
            store1(to + (ptrdiff_t)i * destination_stride + y * 4, load1(from + (ptrdiff_t)y * source_stride + i * 4));
          }
        }
      }
      for (; x < right; x++) {
        for (size_t y = top; y < bottom; y++) {
          store1(
            destination + (ptrdiff_t)x * destination_stride + y * 4, load1(source + (ptrdiff_t)y * source_stride + x * 4));
        }
      }
    }
  }
}
