// Filters that read several pixels, or positions between pixels. Rows have four premultiplied bytes per pixel.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// An image to sample at fractional positions. It has fewer than 2^31 pixels.
typedef struct nuke_sampled_image {
  const uint8_t *pixels;
  int32_t width, height;
  // True if it is transparent outside of its edges; otherwise the edge pixels are repeated.
  bool ends;
} nuke_sampled_image;

// Loops that benefit from wider registers, compiled from the same code for each instruction set. If the sources are
// bytes, the destination must not be one of them.
typedef struct nuke_neighbor_kernels {
  // Bilinear interpolation at each position, rounded to nearest. The center of the first pixel is 0.5, 0.5. If a
  // coordinate is NaN, the result is transparent.
  void (*sample)(
    uint8_t *destination, const nuke_sampled_image *image, const float *x, const float *y, size_t count);
  // The weighted sum of `count` rows plus `bias`, rounded to nearest and clamped to a byte.
  void (*weigh)(
    uint8_t *destination, const uint8_t *const *rows, const float *weights, size_t count, float bias, size_t bytes);
  // The median of each channel over 3 x 3 pixels of three rows. One pixel before the first and one after the last are
  // read.
  void (*median)(uint8_t *destination, const uint8_t *const rows[3], size_t bytes);
  void (*larger)(uint8_t *destination, const uint8_t *first, const uint8_t *second, size_t bytes);
  void (*smaller)(uint8_t *destination, const uint8_t *first, const uint8_t *second, size_t bytes);
  void (*add)(uint32_t *sums, const uint8_t *row, size_t bytes);
  // Prefix sums of each channel: `count` + 1 pixels of four numbers, the first zero. They wrap around.
  void (*accumulate)(uint32_t *sums, const uint8_t *row, size_t count);
  // Adds the difference of two prefix sums of a row.
  void (*add_span)(uint32_t *sums, const uint32_t *end, const uint32_t *start, size_t count);
  // Scales the sums by a factor of at most one, rounded to nearest.
  void (*mean)(uint8_t *destination, const uint32_t *sums, float share, size_t count);
} nuke_neighbor_kernels;

#ifdef __cplusplus
}
#endif
