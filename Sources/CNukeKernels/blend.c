#include "CNukeBlend.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

static inline float least(float a, float b) { return a < b ? a : b; }
static inline float most(float a, float b) { return a > b ? a : b; }
static inline float unit(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
static inline uint8_t byte(float x) { return (uint8_t)(int)(unit(x) * 255 + 0.5f); }

// Square root by the Babylonian method, starting above the result: five steps are exact to the last bit from 0.04 to 1.
static inline float root(float x) {
  float r = (x + 1) / 2;
  for (int i = 0; i < 5; i++) r = (r + x / r) / 2;
  return r;
}

static inline float soft_light(float b, float s) {
  if (s <= 0.5f) return b - (1 - 2 * s) * b * (1 - b);
  const float d = b <= 0.25f ? ((16 * b - 12) * b + 4) * b : root(b);
  return b + (2 * s - 1) * (d - b);
}

static inline float hard_light(float b, float s) {
  return s <= 0.5f ? b * 2 * s : b + (2 * s - 1) - b * (2 * s - 1);
}

static inline float dodge(float b, float s) { return b <= 0 ? 0 : s >= 1 ? 1 : least(1, b / (1 - s)); }
static inline float burn(float b, float s) { return b >= 1 ? 1 : s <= 0 ? 0 : 1 - least(1, (1 - b) / s); }

// Blends one channel of the bottom and the top image.
static float blended(nuke_blend_mode mode, float b, float s) {
  switch (mode) {
  case nuke_blend_multiply: return b * s;
  case nuke_blend_screen: return b + s - b * s;
  case nuke_blend_overlay: return hard_light(s, b);
  case nuke_blend_darken: return least(b, s);
  case nuke_blend_lighten: return most(b, s);
  case nuke_blend_color_dodge: return dodge(b, s);
  case nuke_blend_color_burn: return burn(b, s);
  case nuke_blend_hard_light: return hard_light(b, s);
  case nuke_blend_soft_light: return soft_light(b, s);
  case nuke_blend_difference: return b > s ? b - s : s - b;
  case nuke_blend_exclusion: return b + s - 2 * b * s;
  case nuke_blend_linear_burn: return b + s - 1;
  case nuke_blend_linear_dodge: return b + s;
  case nuke_blend_linear_light: return b + 2 * s - 1;
  case nuke_blend_pin_light: return s <= 0.5f ? least(b, 2 * s) : most(b, 2 * s - 1);
  case nuke_blend_vivid_light: return s <= 0.5f ? burn(b, 2 * s) : dodge(b, 2 * s - 1);
  // Slightly smaller, so that a sum that should be one is not above it after rounding.
  case nuke_blend_hard_mix: return b + s >= 1 - 1.0f / 4096 ? 1 : 0;
  case nuke_blend_divide: return s > 0 ? b / s : 1;
  case nuke_blend_subtract: return s - b;
  default: return s;
  }
}

// The four non-separable modes, with the luminosity and saturation of the recommendation.
static inline float luminosity(const float *c) { return 0.3f * c[0] + 0.59f * c[1] + 0.11f * c[2]; }
static inline float saturation(const float *c) { return most(most(c[0], c[1]), c[2]) - least(least(c[0], c[1]), c[2]); }

static void set_luminosity(float *c, float wanted) {
  const float step = wanted - luminosity(c);
  for (int i = 0; i < 3; i++) c[i] += step;
  const float l = luminosity(c), low = least(least(c[0], c[1]), c[2]), high = most(most(c[0], c[1]), c[2]);
  for (int i = 0; i < 3; i++) {
    if (low < 0) c[i] = l + (c[i] - l) * l / (l - low);
    if (high > 1) c[i] = l + (c[i] - l) * (1 - l) / (high - l);
  }
}

static void set_saturation(float *c, float wanted) {
  const float low = least(least(c[0], c[1]), c[2]), span = saturation(c);
  for (int i = 0; i < 3; i++) c[i] = span > 0 ? (c[i] - low) * wanted / span : 0;
}

static void blend_colors(nuke_blend_mode mode, const float *b, const float *s, float *result) {
  const float *from = mode == nuke_blend_saturation || mode == nuke_blend_luminosity ? b : s;
  for (int i = 0; i < 3; i++) result[i] = from[i];
  if (mode == nuke_blend_hue) set_saturation(result, saturation(b));
  if (mode == nuke_blend_saturation) set_saturation(result, saturation(s));
  set_luminosity(result, luminosity(mode == nuke_blend_luminosity ? s : b));
}

void nuke_blend(
  uint8_t *d, const uint8_t *above, const uint8_t *below, size_t count, nuke_blend_mode mode, float opacity,
  bool atop) {
  for (size_t i = 0; i < count; i++, d += 4, above += 4, below += 4) {
    float s[4], b[4];
    for (int c = 0; c < 4; c++) {
      s[c] = above[c] / 255.0f * opacity;
      b[c] = below[c] / 255.0f;
    }
    const float as = s[3], ab = b[3];
    // The weight of each image (Porter and Duff).
    float stays_above = 1, stays_below = 1 - as, both = 0;
    switch (mode) {
    case nuke_blend_normal:
      stays_above = atop ? ab : 1;
      break;
    case nuke_blend_source_in:
      stays_above = ab;
      stays_below = 0;
      break;
    case nuke_blend_source_out:
      stays_above = 1 - ab;
      stays_below = 0;
      break;
    case nuke_blend_source_atop: stays_above = ab; break;
    case nuke_blend_addition: stays_below = 1; break;
    case nuke_blend_maximum:
    case nuke_blend_minimum:
      for (int c = 0; c < 4; c++) d[c] = byte(mode == nuke_blend_maximum ? most(s[c], b[c]) : least(s[c], b[c]));
      continue;
    default:
      stays_above = atop ? 0 : 1 - ab;
      both = as * ab;
    }
    float mixed[3] = {0, 0, 0};
    if (both > 0) {
      const float cs[3] = {s[0] / as, s[1] / as, s[2] / as}, cb[3] = {b[0] / ab, b[1] / ab, b[2] / ab};
      if (mode >= nuke_blend_hue && mode <= nuke_blend_luminosity) {
        blend_colors(mode, cb, cs, mixed);
      } else {
        for (int c = 0; c < 3; c++) mixed[c] = blended(mode, cb[c], cs[c]);
      }
    }
    const uint8_t a = byte(as * stays_above + ab * stays_below + both);
    for (int c = 0; c < 3; c++) {
      const uint8_t value = byte(s[c] * stays_above + b[c] * stays_below + unit(mixed[c]) * both);
      d[c] = value < a ? value : a;
    }
    d[3] = a;
  }
}

void nuke_mix(uint8_t *d, const uint8_t *first, const uint8_t *second, const uint8_t *mask, size_t count) {
  for (size_t i = 0; i < count; i++, d += 4, first += 4, second += 4) {
    const unsigned kept = mask[i];
    for (int c = 0; c < 4; c++) d[c] = (uint8_t)((first[c] * kept + second[c] * (255 - kept) + 127) / 255);
  }
}

void nuke_add_difference(
  uint8_t *d, const uint8_t *s, const uint8_t *blurred, size_t count, float amount, bool luminance) {
  for (size_t i = 0; i < count; i++, d += 4, s += 4, blurred += 4) {
    const float a = s[3];
    float difference[3];
    for (int c = 0; c < 3; c++) difference[c] = (float)s[c] - (float)blurred[c];
    const float gray = 0.2126f * difference[0] + 0.7152f * difference[1] + 0.0722f * difference[2];
    for (int c = 0; c < 3; c++) {
      const float value = s[c] + amount * (luminance ? gray : difference[c]) + 0.5f;
      d[c] = (uint8_t)(int)(value > 0 ? least(value, a) : 0);
    }
    d[3] = s[3];
  }
}

void nuke_box_blur(
  uint8_t *d, uint8_t *middle, const uint8_t *s, size_t width, size_t height, size_t radius, uint32_t *sums) {
  const float share = 1.0f / (float)(2 * radius + 1);
  for (size_t y = 0; y < height; y++) {
    const uint8_t *row = s + y * width * 4;
    uint8_t *to = middle + y * width * 4;
    uint32_t sum[4];
    for (int c = 0; c < 4; c++) {
      sum[c] = (uint32_t)(radius + 1) * row[c];
      for (size_t k = 1; k <= radius; k++) sum[c] += row[(k < width ? k : width - 1) * 4 + (size_t)c];
    }
    for (size_t x = 0; x < width; x++) {
      const size_t next = x + radius + 1 < width ? x + radius + 1 : width - 1, last = x > radius ? x - radius : 0;
      for (size_t c = 0; c < 4; c++) {
        to[x * 4 + c] = (uint8_t)(int)((float)sum[c] * share + 0.5f);
        sum[c] += (uint32_t)row[next * 4 + c] - row[last * 4 + c];
      }
    }
  }
  const size_t bytes = width * 4;
  for (size_t i = 0; i < bytes; i++) sums[i] = (uint32_t)(radius + 1) * middle[i];
  for (size_t k = 1; k <= radius; k++) {
    const uint8_t *row = middle + (k < height ? k : height - 1) * bytes;
    for (size_t i = 0; i < bytes; i++) sums[i] += row[i];
  }
  for (size_t y = 0; y < height; y++) {
    const uint8_t *next = middle + (y + radius + 1 < height ? y + radius + 1 : height - 1) * bytes;
    const uint8_t *last = middle + (y > radius ? y - radius : 0) * bytes;
    uint8_t *to = d + y * bytes;
    for (size_t i = 0; i < bytes; i++) {
      to[i] = (uint8_t)(int)((float)sums[i] * share + 0.5f);
      sums[i] += (uint32_t)next[i] - last[i];
    }
  }
}
