// Images made smaller while they are still luma and chroma.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Luma and chroma by ITU-R BT.601 with black at 16, chroma of half the width and height, rounded up (4:2:0).
typedef struct nuke_planes_420 {
  const uint8_t *y, *u, *v;
  // In pixels, of luma. Rows of the planes have no gaps.
  uint32_t width, height;
} nuke_planes_420;

// Writes opaque RGBA of an image reduced to 1/`denominator`, which is 2, 4 or 8: each pixel is the average of a square of
// so many pixels a side, or of the part of it that is in the image.
//
// `count` rows are written, from the row `first` of the result on. `scratch` has room for 2 * width + 8 numbers.
void nuke_reduce_420(
  uint8_t *pixels, const nuke_planes_420 *planes, uint32_t denominator, uint32_t first, uint32_t count,
  uint16_t *scratch);

#ifdef __cplusplus
}
#endif
