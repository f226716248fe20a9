// Rotates and mirrors pixels of four bytes. Strides are bytes from one row to the next, and may be negative.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Reverses each row. The two images must not overlap.
void nuke_mirror_rows(
  uint8_t *destination, ptrdiff_t destination_stride, const uint8_t *source, ptrdiff_t source_stride, size_t width,
  size_t height);

// Row y of the source becomes column y of the destination, which is `height` pixels wide. The two must not overlap.
void nuke_transpose(
  uint8_t *destination, ptrdiff_t destination_stride, const uint8_t *source, ptrdiff_t source_stride, size_t width,
  size_t height);

#ifdef __cplusplus
}
#endif
