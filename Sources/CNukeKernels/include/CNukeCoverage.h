// Premultiplied pixels of four bytes with a mask of one byte per pixel.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Multiplies each pixel by its mask byte (255 keeps it unchanged).
void nuke_cover(uint8_t *destination, const uint8_t *source, const uint8_t *mask, size_t count);

// Multiplies each pixel by `outer`, and draws a premultiplied color over the part outside of `inner`. No byte of
// `inner` exceeds that of `outer`.
void nuke_cover_bordered(
  uint8_t *destination, const uint8_t *source, const uint8_t *outer, const uint8_t *inner, const uint8_t color[4],
  size_t count);

#ifdef __cplusplus
}
#endif
