// Converts high bit depth and HDR pixels to 8-bit sRGB.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  // Entries of a table indexed by the leading bits of a float: 256 steps for each octave from 2^-16 to 2^6, with linear
  // interpolation. Values outside are clamped. The maximum exceeds 10,000 cd/m² in units of 203 cd/m².
  nuke_light_entries = 22 * 256 + 1,
};

// The conversion of pixels with four 16-bit components. The caller owns all tables.
typedef struct nuke_deep_conversion {
  // The number of bits of a component. Larger values are clamped.
  int32_t bits;
  // Linear light of each component >> shift.
  int32_t shift;
  const float *curves[3];
  // The luminance of the scene's linear red, green and blue, and the gain of light at that luminance, with
  // nuke_light_entries entries; NULL if the light is not scene-referred.
  float luminance[3];
  const float *scene;
  // The gain of light by its largest component, with nuke_light_entries entries; NULL for none. With this table, colors
  // brighter than 1 are mixed with gray of the same luminance until they fit; without it, they are clipped.
  const float *tone;
  // The rows of the matrix to linear sRGB.
  float matrix[9];
  // The bytes for linear light of 0, 1 / scale … 1.
  const uint8_t *encoding;
  int32_t scale;
} nuke_deep_conversion;

// Converts straight RGBA with 16 bits a channel to 8 bits.
void nuke_deep_to_srgb(
  uint8_t *destination, const uint16_t *source, size_t count, const nuke_deep_conversion *conversion);

#ifdef __cplusplus
}
#endif
