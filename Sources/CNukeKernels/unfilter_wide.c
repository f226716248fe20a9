#include "bytes16.h"
#include "unfilter.h"

#if NUKE_X86 || NUKE_NEON

// MARK: - One row

// For 1 to 4 stored channels: the position in the stored bytes of each channel of four pixels.
static const uint8_t places[4][16] = {
  {0, 0, 0, 255, 1, 1, 1, 255, 2, 2, 2, 255, 3, 3, 3, 255},
  {0, 0, 0, 1, 2, 2, 2, 3, 4, 4, 4, 5, 6, 6, 6, 7},
  {0, 1, 2, 255, 3, 4, 5, 255, 6, 7, 8, 255, 9, 10, 11, 255},
  {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
};

// Loads four pixels. Alpha is zero if it is not stored.
WIDE_INLINE v16 load_pixels(const uint8_t *p, size_t step) {
  return step == 4 ? v_load(p) : v_pick(v_load(p), v_load(places[step - 1]));
}

// Loads one pixel into the lowest four bytes.
WIDE_INLINE v16 load_pixel(const uint8_t *p, size_t step) {
  return step == 4 ? v_load4(p) : v_pick(v_load4(p), v_load(places[step - 1]));
}

WIDE_INLINE v16 finished(v16 pixels, size_t step) { return step % 2 == 1 ? v_or(pixels, v_alpha()) : pixels; }

WIDE_INLINE void store_pixel(uint8_t *p, v16 pixel, size_t step) { v_store4(p, finished(pixel, step)); }

WIDE_INLINE bool unfilter_row(uint8_t *output, const uint8_t *above, const uint8_t *row, size_t width, size_t step) {
  const uint8_t *stored = row + 1;
  size_t x = 0;
  v16 left = v_zero(), corner = v_zero();
  switch (row[0]) {
  case 0:
    for (; x + 4 <= width; x += 4) v_store(output + x * 4, finished(load_pixels(stored + x * step, step), step));
    for (; x < width; x++) store_pixel(output + x * 4, load_pixel(stored + x * step, step), step);
    return true;
  case 1:
    for (; x + 4 <= width; x += 4) {
      // Prefix sums of the four pixels.
      v16 sums = load_pixels(stored + x * step, step);
      sums = v_add(sums, v_up(sums, 4));
      sums = v_add(sums, v_up(sums, 8));
      sums = v_add(sums, left);
      v_store(output + x * 4, finished(sums, step));
      left = v_last(sums);
    }
    for (; x < width; x++) {
      left = v_add(load_pixel(stored + x * step, step), left);
      store_pixel(output + x * 4, left, step);
    }
    return true;
  case 2:
    for (; x + 4 <= width; x += 4) {
      const v16 sums = v_add(load_pixels(stored + x * step, step), v_load(above + x * 4));
      v_store(output + x * 4, finished(sums, step));
    }
    for (; x < width; x++) {
      store_pixel(output + x * 4, v_add(load_pixel(stored + x * step, step), v_load4(above + x * 4)), step);
    }
    return true;
  case 3:
    for (; x < width; x++) {
      left = v_add(load_pixel(stored + x * step, step), v_mean(left, v_load4(above + x * 4)));
      store_pixel(output + x * 4, left, step);
    }
    return true;
  case 4:
    for (; x < width; x++) {
      const v16 up = v_load4(above + x * 4);
      left = v_add(load_pixel(stored + x * step, step), v_paeth(left, up, corner));
      corner = up;
      store_pixel(output + x * 4, left, step);
    }
    return true;
  default:
    return false;
  }
}

// MARK: - Several rows
//
// A pixel of the Average or Paeth filter depends on the pixel before it, which leaves most of the processor idle.
// Therefore several rows with the same filter are unfiltered together, each one pixel behind the row above. A register
// holds the pixels of four rows that lie on a diagonal. Four steps are done together, because one load has four pixels.

// Pixels x to x + 3 of one row; those outside of it are zero.
WIDE_INLINE v16 load_part(const uint8_t *row, ptrdiff_t x, size_t width, size_t step) {
  uint8_t bytes[16] = {0};
  const ptrdiff_t size = (ptrdiff_t)step;
  for (ptrdiff_t k = 0; k < 4; k++) {
    if (x + k >= 0 && x + k < (ptrdiff_t)width) memcpy(bytes + k * size, row + (x + k) * size, step);
  }
  return load_pixels(bytes, step);
}

WIDE_INLINE void store_part(uint8_t *row, ptrdiff_t x, size_t width, v16 pixels) {
  uint8_t bytes[16];
  v_store(bytes, pixels);
  for (ptrdiff_t k = 0; k < 4; k++) {
    if (x + k >= 0 && x + k < (ptrdiff_t)width) memcpy(row + (x + k) * 4, bytes + k * 4, 4);
  }
}

WIDE_INLINE void transpose(v16 *rows) {
  const v16 a = v_low32(rows[0], rows[1]), b = v_low32(rows[2], rows[3]);
  const v16 c = v_high32(rows[0], rows[1]), d = v_high32(rows[2], rows[3]);
  rows[0] = v_low64(a, b);
  rows[1] = v_high64(a, b);
  rows[2] = v_low64(c, d);
  rows[3] = v_high64(c, d);
}

struct diagonal {
  // The last pixels of the rows, and the pixels above them.
  v16 left[2], up[2];
};

// Unfilters pixels x...x + 3 of the first row, and in each row below the pixels one further to the left. `inner` is
// true if all of them are in the image.
WIDE_INLINE void advance(
  struct diagonal *diagonal, uint8_t *pixels, const uint8_t *above, const uint8_t *rows, size_t width, size_t step,
  int filter, int groups, ptrdiff_t x, bool inner) {
  const size_t stored_stride = width * step + 1, stride = width * 4;
  v16 found[8], first[4];
  for (int i = 0; i < groups * 4; i++) {
    const uint8_t *row = rows + (size_t)i * stored_stride + 1;
    found[i] = inner ? load_pixels(row + (x - i) * (ptrdiff_t)step, step) : load_part(row, x - i, width, step);
  }
  for (int g = 0; g < groups; g++) transpose(found + g * 4);
  first[3] = inner ? v_load(above + x * 4) : load_part(above, x, width, 4);
  first[2] = v_up(first[3], 4);
  first[1] = v_up(first[3], 8);
  first[0] = v_up(first[3], 12);
  for (int k = 0; k < 4; k++) {
    // From the bottom: each row needs the last pixels of the row above before they change.
    for (int g = groups - 1; g >= 0; g--) {
      const v16 up = v_behind(diagonal->left[g], g == 0 ? first[k] : diagonal->left[g - 1]);
      const v16 left = diagonal->left[g];
      diagonal->left[g] = v_add(found[g * 4 + k], filter == 3 ? v_mean(left, up) : v_paeth(left, up, diagonal->up[g]));
      diagonal->up[g] = up;
      found[g * 4 + k] = diagonal->left[g];
    }
  }
  for (int g = 0; g < groups; g++) transpose(found + g * 4);
  for (int i = 0; i < groups * 4; i++) {
    uint8_t *row = pixels + (size_t)i * stride;
    if (inner) {
      v_store(row + (x - i) * 4, finished(found[i], step));
    } else {
      store_part(row, x - i, width, finished(found[i], step));
    }
  }
}

// Unfilters `groups` times four rows with the same filter.
WIDE_INLINE void unfilter_together(
  uint8_t *pixels, const uint8_t *above, const uint8_t *rows, size_t width, size_t step, int filter, int groups) {
  struct diagonal diagonal = {{v_zero(), v_zero()}, {v_zero(), v_zero()}};
  const ptrdiff_t end = (ptrdiff_t)width, last = groups * 4 - 1;
  ptrdiff_t x = 0;
  for (; x < last && x < end + last; x += 4) {
    advance(&diagonal, pixels, above, rows, width, step, filter, groups, x, false);
  }
  for (; x + 4 <= end; x += 4) advance(&diagonal, pixels, above, rows, width, step, filter, groups, x, true);
  for (; x < end + last; x += 4) advance(&diagonal, pixels, above, rows, width, step, filter, groups, x, false);
}

WIDE_INLINE bool unfilter(
  uint8_t *pixels, const uint8_t *above, const uint8_t *rows, size_t width, size_t count, size_t step) {
  const size_t stored_stride = width * step + 1;
  size_t y = 0;
  while (y < count) {
    const uint8_t *row = rows + y * stored_stride;
    uint8_t *output = pixels + y * width * 4;
    const uint8_t *up = y == 0 ? above : output - width * 4;
    size_t alike = 1;
    while (alike < 8 && y + alike < count && row[alike * stored_stride] == row[0]) alike++;
    const size_t together = row[0] != 3 && row[0] != 4 ? 1 : alike == 8 ? 8 : alike >= 4 ? 4 : 1;
    if (together == 1) {
      if (!unfilter_row(output, up, row, width, step)) return false;
    } else if (together == 8) {
      // With constant arguments, so that the compiler specializes the loops.
      if (row[0] == 3) unfilter_together(output, up, row, width, step, 3, 2);
      if (row[0] == 4) unfilter_together(output, up, row, width, step, 4, 2);
    } else {
      if (row[0] == 3) unfilter_together(output, up, row, width, step, 3, 1);
      if (row[0] == 4) unfilter_together(output, up, row, width, step, 4, 1);
    }
    y += together;
  }
  return true;
}

NUKE_WIDE static bool unfilter_rows(
  uint8_t *pixels, const uint8_t *above, const uint8_t *stored, size_t width, size_t count, int channels) {
  switch (channels) {
  case 1:
    return unfilter(pixels, above, stored, width, count, 1);
  case 2:
    return unfilter(pixels, above, stored, width, count, 2);
  case 3:
    return unfilter(pixels, above, stored, width, count, 3);
  default:
    return unfilter(pixels, above, stored, width, count, 4);
  }
}

// MARK: - Bytes

// Unfilters pixels of `step` bytes. Each store writes eight bytes, of which the next ones replace the last.
WIDE_INLINE void unfilter_steps(
  uint8_t *row, const uint8_t *above, const uint8_t *stored, size_t count, size_t step, int filter) {
  v16 left = v_zero(), corner = v_zero();
  for (size_t x = 0; x < count; x += step) {
    const v16 up = v_load8(above + x);
    const v16 predicted = filter == 1 ? left : filter == 3 ? v_mean(left, up) : v_paeth(left, up, corner);
    left = v_add(v_load8(stored + x), predicted);
    corner = up;
    v_store8(row + x, left);
  }
}

NUKE_WIDE static bool unfilter_bytes(
  uint8_t *row, const uint8_t *above, const uint8_t *stored, size_t count, size_t step) {
  if (step > 1 && stored[0] != 2) {
    // With a constant filter, so that the compiler specializes the loop.
    switch (stored[0]) {
    case 1:
      unfilter_steps(row, above, stored + 1, count, step, 1);
      return true;
    case 3:
      unfilter_steps(row, above, stored + 1, count, step, 3);
      return true;
    case 4:
      unfilter_steps(row, above, stored + 1, count, step, 4);
      return true;
    default:
      return nuke_unfilter_scalar.bytes(row, above, stored, count, step);
    }
  }
  static const uint8_t last[16] = {15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15};
  const uint8_t *bytes = stored + 1;
  size_t x = 0;
  v16 left = v_zero();
  switch (stored[0]) {
  case 1:
    for (; x + 16 <= count; x += 16) {
      // The sums of one byte, two, four and eight.
      v16 sums = v_load(bytes + x);
      sums = v_add(sums, v_up(sums, 1));
      sums = v_add(sums, v_up(sums, 2));
      sums = v_add(sums, v_up(sums, 4));
      sums = v_add(sums, v_up(sums, 8));
      sums = v_add(sums, left);
      v_store(row + x, sums);
      left = v_pick(sums, v_load(last));
    }
    for (; x < count; x++) row[x] = (uint8_t)(bytes[x] + (x > 0 ? row[x - 1] : 0));
    return true;
  case 2:
    for (; x + 16 <= count; x += 16) v_store(row + x, v_add(v_load(bytes + x), v_load(above + x)));
    for (; x < count; x++) row[x] = (uint8_t)(bytes[x] + above[x]);
    return true;
  default:
    // Each byte waits for the one before it.
    return nuke_unfilter_scalar.bytes(row, above, stored, count, 1);
  }
}

// For 1 to 4 channels of 16 bits: the positions of the high bytes of two pixels. The low bytes follow them.
static const uint8_t high_places[4][8] = {
  {0, 0, 0, 128, 2, 2, 2, 128},
  {0, 0, 0, 2, 4, 4, 4, 6},
  {0, 2, 4, 128, 6, 8, 10, 128},
  {0, 2, 4, 6, 8, 10, 12, 14},
};

NUKE_WIDE static void narrow_row(uint8_t *pixels, const uint8_t *row, size_t width, int channels) {
  const size_t step = (size_t)channels * 2;
  const v16 high_place = v_load8(high_places[channels - 1]), low_place = v_add(high_place, v_set(1));
  const v16 limit = v_set(129), alpha = channels % 2 == 1 ? v_alpha() : v_zero();
  size_t x = 0;
  for (; x + 4 <= width; x += 4) {
    const v16 first = v_load(row + x * step), second = v_load(row + (x + 2) * step);
    const v16 high = v_low64(v_pick(first, high_place), v_pick(second, high_place));
    const v16 low = v_low64(v_pick(first, low_place), v_pick(second, low_place));
    // All ones, that is, minus one, where the difference exceeds 128.
    const v16 is_up = v_equal(v_min(v_less(low, high), limit), limit);
    const v16 is_down = v_equal(v_min(v_less(high, low), limit), limit);
    v_store(pixels + x * 4, v_or(v_add(v_sub(high, is_up), is_down), alpha));
  }
  nuke_unfilter_scalar.narrow(pixels + x * 4, row + x * step, width - x, channels);
}

// MARK: - Checksum

// Adds `count` blocks of 16 bytes to the sums.
#if NUKE_X86

WIDE_INLINE uint32_t sum32(__m128i a) {
  a = _mm_add_epi32(a, _mm_shuffle_epi32(a, 0x4E));
  return (uint32_t)_mm_cvtsi128_si32(_mm_add_epi32(a, _mm_shuffle_epi32(a, 0xB1)));
}

WIDE_INLINE void add_blocks(uint32_t *low, uint32_t *high, const uint8_t *bytes, size_t count) {
  const __m128i weights = _mm_setr_epi8(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
  const __m128i ones = _mm_set1_epi16(1), zero = _mm_setzero_si128();
  __m128i sums = zero, sums_before = zero, weighted = zero;
  for (size_t i = 0; i < count; i++) {
    const __m128i block = _mm_loadu_si128((const __m128i *)(bytes + i * 16));
    sums_before = _mm_add_epi32(sums_before, sums);
    sums = _mm_add_epi32(sums, _mm_sad_epu8(block, zero));
    weighted = _mm_add_epi32(weighted, _mm_madd_epi16(_mm_maddubs_epi16(block, weights), ones));
  }
  *high += *low * (uint32_t)(count * 16) + sum32(sums_before) * 16 + sum32(weighted);
  *low += sum32(sums);
}

#else

WIDE_INLINE void add_blocks(uint32_t *low, uint32_t *high, const uint8_t *bytes, size_t count) {
  static const uint8_t falling[16] = {16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
  const uint8x16_t weights = vld1q_u8(falling);
  uint32x4_t sums = vdupq_n_u32(0), sums_before = sums, weighted = sums;
  for (size_t i = 0; i < count; i++) {
    const uint8x16_t block = vld1q_u8(bytes + i * 16);
    sums_before = vaddq_u32(sums_before, sums);
    sums = vpadalq_u16(sums, vpaddlq_u8(block));
    uint16x8_t products = vmull_u8(vget_low_u8(block), vget_low_u8(weights));
    products = vmlal_u8(products, vget_high_u8(block), vget_high_u8(weights));
    weighted = vpadalq_u16(weighted, products);
  }
  *high += *low * (uint32_t)(count * 16) + vaddvq_u32(sums_before) * 16 + vaddvq_u32(weighted);
  *low += vaddvq_u32(sums);
}

#endif

NUKE_WIDE static uint32_t adler(uint32_t sum, const uint8_t *bytes, size_t count) {
  uint32_t low = sum & 0xFFFF, high = sum >> 16;
  while (count >= 16) {
    const size_t blocks = (count < nuke_adler_limit ? count : nuke_adler_limit) / 16;
    add_blocks(&low, &high, bytes, blocks);
    low %= nuke_adler_base;
    high %= nuke_adler_base;
    bytes += blocks * 16;
    count -= blocks * 16;
  }
  return nuke_unfilter_scalar.adler(high << 16 | low, bytes, count);
}

const nuke_unfilter_kernels nuke_unfilter_wide = {unfilter_rows, unfilter_bytes, narrow_row, adler};

#endif
