#include "kernels.h"

#include <string.h>

// Uses only operations that IEEE 754 defines exactly, without fused ones, so all variants have equal results.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#define BODY static inline __attribute__((always_inline)) void

enum { red = 0, green = nuke_block, blue = nuke_block * 2, alpha = nuke_block * 3 };

// NaN becomes 0.
static inline __attribute__((always_inline)) float unit(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

static inline __attribute__((always_inline)) float luminance(float r, float g, float b) {
  return r * 0.2126f + g * 0.7152f + b * 0.0722f;
}

BODY load_body(float *p, const uint8_t *s, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float a = s[i * 4 + 3], divisor = a > 0 ? a : 1;
    p[red + i] = s[i * 4] / divisor;
    p[green + i] = s[i * 4 + 1] / divisor;
    p[blue + i] = s[i * 4 + 2] / divisor;
    p[alpha + i] = a / 255.0f;
  }
  for (size_t i = count; i < nuke_block; i++) p[red + i] = p[green + i] = p[blue + i] = p[alpha + i] = 0;
}

BODY store_body(uint8_t *d, const float *p, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float a = unit(p[alpha + i]) * 255;
    d[i * 4] = (uint8_t)(int)(unit(p[red + i]) * a + 0.5f);
    d[i * 4 + 1] = (uint8_t)(int)(unit(p[green + i]) * a + 0.5f);
    d[i * 4 + 2] = (uint8_t)(int)(unit(p[blue + i]) * a + 0.5f);
    d[i * 4 + 3] = (uint8_t)(int)(a + 0.5f);
  }
}

BODY matrix_body(float *p, const float *m) {
  for (size_t i = 0; i < nuke_block; i++) {
    const float r = p[red + i], g = p[green + i], b = p[blue + i], a = p[alpha + i];
    p[red + i] = m[0] * r + m[1] * g + m[2] * b + m[3] * a + m[4];
    p[green + i] = m[5] * r + m[6] * g + m[7] * b + m[8] * a + m[9];
    p[blue + i] = m[10] * r + m[11] * g + m[12] * b + m[13] * a + m[14];
    p[alpha + i] = m[15] * r + m[16] * g + m[17] * b + m[18] * a + m[19];
  }
}

BODY curves_body(float *p, const float *tables) {
  for (int c = 0; c < 3; c++) {
    const float *table = tables + c * nuke_curve_entries;
    float *plane = p + c * nuke_block;
    for (size_t i = 0; i < nuke_block; i++) {
      const float x = unit(plane[i]) * (nuke_curve_entries - 1);
      const int whole = (int)x, entry = whole < nuke_curve_entries - 2 ? whole : nuke_curve_entries - 2;
      plane[i] = table[entry] + (table[entry + 1] - table[entry]) * (x - (float)entry);
    }
  }
}

BODY clamp_body(float *p, const float *low, const float *high) {
  for (int c = 0; c < 4; c++) {
    for (size_t i = 0; i < nuke_block; i++) {
      const float x = p[c * nuke_block + i], raised = x > low[c] ? x : low[c];
      p[c * nuke_block + i] = raised < high[c] ? raised : high[c];
    }
  }
}

BODY component_body(float *p, bool largest) {
  for (size_t i = 0; i < nuke_block; i++) {
    const float r = p[red + i], g = p[green + i], b = p[blue + i];
    const float most = r > g ? r : g, least = r < g ? r : g;
    const float gray = largest ? (most > b ? most : b) : (least < b ? least : b);
    p[red + i] = p[green + i] = p[blue + i] = gray;
  }
}

BODY posterize_body(float *p, float levels) {
  const float last = levels - 1, divisor = last > 0 ? last : 1;
  for (size_t i = 0; i < nuke_block * 3; i++) {
    // Slightly larger, so that a value on a step is rounded up, whatever the rounding before.
    const float step = (float)(int)(unit(p[i]) * levels + 1.0f / 4096);
    p[i] = (step < last ? step : last) / divisor;
  }
}

BODY threshold_body(float *p, float threshold) {
  for (size_t i = 0; i < nuke_block * 3; i++) p[i] = p[i] >= threshold ? 1 : 0;
}

BODY polynomial_body(float *p, const float *k) {
  for (int c = 0; c < 4; c++, k += 4) {
    for (size_t i = 0; i < nuke_block; i++) {
      const float x = p[c * nuke_block + i];
      p[c * nuke_block + i] = ((k[3] * x + k[2]) * x + k[1]) * x + k[0];
    }
  }
}

BODY cross_polynomial_body(float *p, const float *k) {
  for (size_t i = 0; i < nuke_block; i++) {
    const float r = p[red + i], g = p[green + i], b = p[blue + i];
    for (int c = 0; c < 3; c++) {
      const float *q = k + c * 10;
      p[c * nuke_block + i] = q[0] * r + q[1] * g + q[2] * b + q[3] * (r * r) + q[4] * (g * g) + q[5] * (b * b) +
                              q[6] * (r * g) + q[7] * (g * b) + q[8] * (b * r) + q[9];
    }
  }
}

BODY vibrance_body(float *p, float amount) {
  for (size_t i = 0; i < nuke_block; i++) {
    const float r = p[red + i], g = p[green + i], b = p[blue + i];
    const float two = r > g ? r : g, most = two > b ? two : b, pair = r < g ? r : g, least = pair < b ? pair : b;
    const float gray = luminance(r, g, b), gain = 1 + amount * (1 - unit(most - least));
    p[red + i] = gray + (r - gray) * gain;
    p[green + i] = gray + (g - gray) * gain;
    p[blue + i] = gray + (b - gray) * gain;
  }
}

BODY vignette_body(float *p, const nuke_vignette *v, float x, float y) {
  const float dy = y + 0.5f - v->y, span = v->outer - v->inner;
  for (int i = 0; i < nuke_block; i++) {
    const float dx = x + (float)i + 0.5f - v->x;
    const float distance = __builtin_sqrtf(dx * dx + dy * dy);
    const float beyond = distance - v->inner;
    const float t = span > 0 ? unit(beyond / span) : beyond >= 0 ? 1 : 0;
    const float factor = 1 - v->intensity * (v->squared ? t * t : t * t * (3 - 2 * t));
    p[red + i] *= factor;
    p[green + i] *= factor;
    p[blue + i] *= factor;
  }
}

typedef float floats4 __attribute__((vector_size(16)));

BODY cube_body(float *p, const float *table, size_t side) {
  const float last = (float)(side - 1);
  for (size_t i = 0; i < nuke_block; i++) {
    size_t low[3], high[3];
    float part[3];
    size_t step = 4;
    for (int c = 0; c < 3; c++, step *= side) {
      const float x = unit(p[c * nuke_block + i]) * last;
      const size_t whole = (size_t)(int)x;
      low[c] = whole * step;
      high[c] = (whole + 1 < side ? whole + 1 : whole) * step;
      part[c] = x - (float)whole;
    }
    floats4 sum = {0, 0, 0, 0};
    for (int corner = 0; corner < 8; corner++) {
      const float weight = (corner & 1 ? part[0] : 1 - part[0]) * (corner & 2 ? part[1] : 1 - part[1]) *
                           (corner & 4 ? part[2] : 1 - part[2]);
      floats4 entry;
      memcpy(
        &entry, table + (corner & 1 ? high[0] : low[0]) + (corner & 2 ? high[1] : low[1]) +
                  (corner & 4 ? high[2] : low[2]),
        sizeof entry);
      sum += entry * weight;
    }
    const float divisor = sum[3] > 0 ? sum[3] : 1;
    for (int c = 0; c < 3; c++) p[c * nuke_block + i] = sum[c] / divisor;
    p[alpha + i] *= sum[3];
  }
}

#define NUKE_PLANES(variant, TARGET)                                                                                  \
  TARGET static void load_##variant(float *p, const uint8_t *s, size_t n) { load_body(p, s, n); }                     \
  TARGET static void store_##variant(uint8_t *d, const float *p, size_t n) { store_body(d, p, n); }                   \
  TARGET static void matrix_##variant(float *p, const float *m) { matrix_body(p, m); }                                \
  TARGET static void curves_##variant(float *p, const float *t) { curves_body(p, t); }                                \
  TARGET static void clamp_##variant(float *p, const float *low, const float *high) { clamp_body(p, low, high); }     \
  TARGET static void component_##variant(float *p, bool largest) { component_body(p, largest); }                      \
  TARGET static void posterize_##variant(float *p, float levels) { posterize_body(p, levels); }                       \
  TARGET static void threshold_##variant(float *p, float threshold) { threshold_body(p, threshold); }                 \
  TARGET static void polynomial_##variant(float *p, const float *k) { polynomial_body(p, k); }                        \
  TARGET static void cross_polynomial_##variant(float *p, const float *k) { cross_polynomial_body(p, k); }            \
  TARGET static void vibrance_##variant(float *p, float amount) { vibrance_body(p, amount); }                         \
  TARGET static void vignette_##variant(float *p, const nuke_vignette *v, float x, float y) {                         \
    vignette_body(p, v, x, y);                                                                                        \
  }                                                                                                                   \
  TARGET static void cube_##variant(float *p, const float *t, size_t side) { cube_body(p, t, side); }                  \
  const nuke_plane_kernels nuke_planes_##variant = {                                                                  \
    load_##variant, store_##variant, matrix_##variant, curves_##variant, clamp_##variant, component_##variant,        \
    posterize_##variant, threshold_##variant, polynomial_##variant, cross_polynomial_##variant, vibrance_##variant,   \
    vignette_##variant, cube_##variant};

NUKE_PLANES(scalar, )
#if NUKE_X86
NUKE_PLANES(avx2, NUKE_AVX2)
NUKE_PLANES(avx512, NUKE_AVX512)
#endif

void nuke_planes_map(float *p, const float *table, size_t entries) {
  const float last = (float)(entries - 1);
  for (size_t i = 0; i < nuke_block; i++) {
    const float x = unit(luminance(p[red + i], p[green + i], p[blue + i])) * last;
    const size_t whole = (size_t)x, next = whole + 1 < entries ? whole + 1 : whole;
    const float *a = table + whole * 4, *b = table + next * 4, part = x - (float)whole;
    for (int c = 0; c < 3; c++) p[c * nuke_block + i] = a[c] + (b[c] - a[c]) * part;
    p[alpha + i] *= a[3] + (b[3] - a[3]) * part;
  }
}

void nuke_lookup(uint8_t *d, const uint8_t *s, size_t count, const uint8_t *tables) {
  for (size_t i = 0; i < count; i++, d += 4, s += 4) {
    d[0] = tables[s[0]];
    d[1] = tables[256 + s[1]];
    d[2] = tables[512 + s[2]];
    d[3] = s[3];
  }
}
