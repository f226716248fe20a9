// Reduces the size of images in luma and chroma, before they are converted to RGB.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Luma and chroma by ITU-R BT.601 with black at 16. Chroma has half the width and height, rounded up (4:2:0).
typedef struct nuke_planes_420 {
  const uint8_t *y, *u, *v;
  // The size of luma in pixels. Rows of the planes have no gaps.
  uint32_t width, height;
} nuke_planes_420;

// Writes opaque RGBA of an image reduced to 1/`denominator`, which is 2, 4 or 8. Each pixel is the average of a square
// with `denominator` pixels per side, or of the part of the square that is inside the image.
//
// Writes `count` rows, starting with row `first` of the result. `scratch` has memory for 2 * width + 8 numbers.
void nuke_reduce_420(
  uint8_t *pixels, const nuke_planes_420 *planes, uint32_t denominator, uint32_t first, uint32_t count,
  uint16_t *scratch);

#ifdef __cplusplus
}
#endif
