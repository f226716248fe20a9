// Pixels of four premultiplied bytes under a mask of one byte a pixel.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Keeps of each pixel as much as its mask says, 255 being all.
void nuke_cover(uint8_t *destination, const uint8_t *source, const uint8_t *mask, size_t count);

// Keeps of each pixel as much as `outer` says; what of that lies outside of `inner` is drawn over in a premultiplied
// color. No mask byte of `inner` is above that of `outer`.
void nuke_cover_bordered(
  uint8_t *destination, const uint8_t *source, const uint8_t *outer, const uint8_t *inner, const uint8_t color[4],
  size_t count);

#ifdef __cplusplus
}
#endif
