// Converts high bit depth and HDR pixels to 8-bit sRGB.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  // Entries of a table over the leading bits of a float: each octave from 2^-16 up to 2^6 in 256 steps, with lines between
  // them; what is outside counts as the nearest. The upper end is above 10,000 candelas in units of 203.
  nuke_light_entries = 22 * 256 + 1,
};

// What four components of 16 bits become. All tables are the caller's.
typedef struct nuke_deep_conversion {
  // Bits of a component; what is above them counts as the largest value.
  int32_t bits;
  // A curve has an entry for each component >> shift: its linear light.
  int32_t shift;
  const float *curves[3];
  // The luminance of the scene's linear red, green and blue, and by nuke_light_entries what it multiplies the light with;
  // NULL where the light is not of a scene.
  float luminance[3];
  const float *scene;
  // By nuke_light_entries, what the light is multiplied with where its largest component is that; NULL for none. With
  // it colors brighter than 1 are mixed with gray of their luminance until they fit, without they are clipped.
  const float *tone;
  // Rows of the matrix to linear sRGB.
  float matrix[9];
  // Bytes for linear light of 0, 1 / scale … 1.
  const uint8_t *encoding;
  int32_t scale;
} nuke_deep_conversion;

// Straight RGBA of 16 bits a channel to straight RGBA of 8.
void nuke_deep_to_srgb(
  uint8_t *destination, const uint16_t *source, size_t count, const nuke_deep_conversion *conversion);

#ifdef __cplusplus
}
#endif
