#include "CNukeCoverage.h"

// Only the pixels along an edge are processed, so there is one variant. Sums of products are rounded once, and both
// weights of a pixel are the same for color and alpha, so color never exceeds alpha.

static inline uint8_t divide(unsigned sum) { return (uint8_t)((sum + 127) / 255); }

void nuke_cover(uint8_t *d, const uint8_t *s, const uint8_t *mask, size_t count) {
  for (size_t i = 0; i < count; i++, d += 4, s += 4) {
    for (int c = 0; c < 4; c++) d[c] = divide(s[c] * (unsigned)mask[i]);
  }
}

void nuke_cover_bordered(
  uint8_t *d, const uint8_t *s, const uint8_t *outer, const uint8_t *inner, const uint8_t color[4], size_t count) {
  for (size_t i = 0; i < count; i++, d += 4, s += 4) {
    const unsigned ring = (unsigned)outer[i] - inner[i];
    // The part of the image that is visible through a semitransparent border.
    const unsigned kept = outer[i] - divide(ring * color[3]);
    for (int c = 0; c < 4; c++) d[c] = divide(s[c] * kept + color[c] * ring);
  }
}
