// Pixels of four bytes, turned and mirrored. Strides are bytes from one row to the next, and may be negative.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Each row from right to left. The two images must not overlap.
void nuke_mirror_rows(
  uint8_t *destination, ptrdiff_t destination_stride, const uint8_t *source, ptrdiff_t source_stride, size_t width,
  size_t height);

// Row y of the source becomes column y of the destination, which is `height` wide. The two must not overlap.
void nuke_transpose(
  uint8_t *destination, ptrdiff_t destination_stride, const uint8_t *source, ptrdiff_t source_stride, size_t width,
  size_t height);

#ifdef __cplusplus
}
#endif
