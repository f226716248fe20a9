#include "CNukeDeep.h"

#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

enum {
  // The number of mantissa bits that are ignored.
  light_shift = 23 - 8,
  // 2^-16 as the leading bits of a float.
  light_first = (127 - 16) << 8,
};

// Interpolates linearly between entries.
static inline float looked_up(const float *table, float value) {
  int32_t bits;
  memcpy(&bits, &value, sizeof bits);
  // Negative floats are negative integers, too.
  const int32_t place = bits - (light_first << light_shift);
  if (place < 0) return table[0];
  const int32_t entry = place >> light_shift;
  if (entry >= nuke_light_entries - 1) return table[nuke_light_entries - 1];
  const float part = (float)(place & ((1 << light_shift) - 1)) / (float)(1 << light_shift);
  return table[entry] + part * (table[entry + 1] - table[entry]);
}

static inline float largest(const float light[3]) {
  const float two = light[0] > light[1] ? light[0] : light[1];
  return two > light[2] ? two : light[2];
}

// Mixes a color with gray of the same luminance until no component is above 1.
static inline void desaturate(float light[3]) {
  const float top = largest(light);
  if (!(top > 1)) return;
  // The sRGB curve (IEC 61966-2-1).
  const float luminance = 0.2126f * light[0] + 0.7152f * light[1] + 0.0722f * light[2];
  const float part = luminance < 1 ? (1 - luminance) / (top - luminance) : 0;
  const float gray = luminance < 1 ? luminance : 1;
  for (int c = 0; c < 3; c++) light[c] = gray + part * (light[c] - luminance);
}

void nuke_deep_to_srgb(
  uint8_t *d, const uint16_t *s, size_t count, const nuke_deep_conversion *conversion) {
  const nuke_deep_conversion c = *conversion;
  const uint32_t limit = (1u << c.bits) - 1;
  for (size_t i = 0; i < count; i++, d += 4, s += 4) {
    float light[3];
    for (int k = 0; k < 3; k++) light[k] = c.curves[k][(s[k] < limit ? s[k] : limit) >> c.shift];
    if (c.scene) {
      const float y = c.luminance[0] * light[0] + c.luminance[1] * light[1] + c.luminance[2] * light[2];
      const float factor = looked_up(c.scene, y);
      for (int k = 0; k < 3; k++) light[k] *= factor;
    }
    if (c.tone) {
      const float factor = looked_up(c.tone, largest(light));
      for (int k = 0; k < 3; k++) light[k] *= factor;
    }
    float result[3];
    for (int k = 0; k < 3; k++) {
      result[k] = c.matrix[k * 3] * light[0] + c.matrix[k * 3 + 1] * light[1] + c.matrix[k * 3 + 2] * light[2];
    }
    if (c.tone) desaturate(result);
    for (int k = 0; k < 3; k++) {
      const float value = result[k] > 0 ? (result[k] < 1 ? result[k] : 1) : 0;
      d[k] = c.encoding[(int32_t)(value * (float)c.scale + 0.5f)];
    }
    const uint32_t alpha = s[3] < limit ? s[3] : limit;
    d[3] = (uint8_t)((alpha * 255 + limit / 2) / limit);
  }
}
