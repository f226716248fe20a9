#include "filter.h"
#include "kernels.h"
#include "unfilter.h"

#include <string.h>

// Unfilters a row of `channels` stored channels to RGBA. Returns false if the filter type is unknown.
static inline __attribute__((always_inline)) bool unfilter_row(
  uint8_t *output, const uint8_t *above, const uint8_t *row, size_t width, int channels) {
  // The position of each stored channel in a pixel: alpha after gray is the fourth.
  const int places[4] = {0, channels == 2 ? 3 : 1, 2, 3};
  const int filter = row[0];
  if (filter > 4) return false;
  const uint8_t *stored = row + 1;
  int left[4] = {0}, corner[4] = {0};
  for (size_t x = 0; x < width; x++, stored += channels, output += 4, above += 4) {
    for (int k = 0; k < channels; k++) {
      const int up = above[places[k]];
      const int predicted = filter == 0   ? 0
                            : filter == 1 ? left[k]
                            : filter == 2 ? up
                            : filter == 3 ? (left[k] + up) / 2
                                          : nuke_paeth(left[k], up, corner[k]);
      output[places[k]] = left[k] = (uint8_t)(stored[k] + predicted);
      corner[k] = up;
    }
    if (channels <= 2) output[1] = output[2] = output[0];
    if (channels == 1 || channels == 3) output[3] = 255;
  }
  return true;
}

static bool unfilter_rows(
  uint8_t *pixels, const uint8_t *above, const uint8_t *stored, size_t width, size_t count, int channels) {
  for (size_t y = 0; y < count; y++) {
    uint8_t *output = pixels + y * width * 4;
    const uint8_t *up = y == 0 ? above : output - width * 4, *row = stored + y * (width * (size_t)channels + 1);
    // With a constant number of channels, so that the compiler specializes the loop.
    const bool is_known = channels == 1   ? unfilter_row(output, up, row, width, 1)
                          : channels == 2 ? unfilter_row(output, up, row, width, 2)
                          : channels == 3 ? unfilter_row(output, up, row, width, 3)
                                          : unfilter_row(output, up, row, width, 4);
    if (!is_known) return false;
  }
  return true;
}

static inline __attribute__((always_inline)) void unfilter_by(
  uint8_t *row, const uint8_t *above, const uint8_t *stored, size_t count, size_t step, int filter) {
  int left[8] = {0}, corner[8] = {0};
  for (size_t x = 0; x < count; x += step) {
    for (size_t k = 0; k < step; k++) {
      const int up = above[x + k];
      const int predicted = filter == 1   ? left[k]
                            : filter == 3 ? (left[k] + up) / 2
                                          : nuke_paeth(left[k], up, corner[k]);
      row[x + k] = (uint8_t)(left[k] = (uint8_t)(stored[x + k] + predicted));
      corner[k] = up;
    }
  }
}

static bool unfilter_bytes(
  uint8_t *row, const uint8_t *above, const uint8_t *stored, size_t count, size_t step) {
  const int filter = stored[0];
  if (filter > 4) return false;
  stored++;
  if (filter == 0) {
    memcpy(row, stored, count);
  } else if (filter == 2) {
    for (size_t i = 0; i < count; i++) row[i] = (uint8_t)(stored[i] + above[i]);
  } else if (step == 1) {
    // With a constant step, the compiler keeps the last pixel in registers.
    unfilter_by(row, above, stored, count, 1, filter);
  } else {
    unfilter_by(row, above, stored, count, step, filter);
  }
  return true;
}

// Rounds a big-endian sample of 16 bits to 8: it is 257 * high + (low - high).
static inline uint8_t narrowed(const uint8_t *sample) {
  const int difference = sample[1] - sample[0];
  return (uint8_t)(sample[0] + (difference > 128) - (difference < -128));
}

static void narrow_row(uint8_t *pixels, const uint8_t *row, size_t width, int channels) {
  const int places[4] = {0, channels == 2 ? 3 : 1, 2, 3};
  for (size_t x = 0; x < width; x++, pixels += 4, row += channels * 2) {
    pixels[3] = 255;
    for (int k = 0; k < channels; k++) pixels[places[k]] = narrowed(row + k * 2);
    if (channels <= 2) pixels[1] = pixels[2] = pixels[0];
  }
}

static uint32_t adler(uint32_t sum, const uint8_t *bytes, size_t count) {
  uint32_t low = sum & 0xFFFF, high = sum >> 16;
  while (count > 0) {
    // Until the sums might overflow.
    const size_t part = count < nuke_adler_limit ? count : nuke_adler_limit;
    for (size_t i = 0; i < part; i++) {
      low += bytes[i];
      high += low;
    }
    low %= nuke_adler_base;
    high %= nuke_adler_base;
    bytes += part;
    count -= part;
  }
  return high << 16 | low;
}

const nuke_unfilter_kernels nuke_unfilter_scalar = {unfilter_rows, unfilter_bytes, narrow_row, adler};

const nuke_unfilter_kernels *nuke_unfilter_kernels_for(const nuke_kernels *kernels) {
#if NUKE_X86 || NUKE_NEON
  if (kernels->variant != nuke_kernel_variant_scalar) return &nuke_unfilter_wide;
#endif
  (void)kernels;
  return &nuke_unfilter_scalar;
}

const nuke_unfilter_kernels *nuke_unfilter_kernels_best(void) { return nuke_unfilter_kernels_for(nuke_kernels_best()); }
