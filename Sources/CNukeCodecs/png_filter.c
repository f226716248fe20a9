#include "png_filter.h"

#include <stdlib.h>
#include <string.h>

// The number of bytes before each row; at least the bytes of a pixel.
enum { margin = 16 };

bool nuke_png_filter_start(nuke_png_filter *filter, const nuke_png_image *image, size_t count, size_t step) {
  *filter = (nuke_png_filter){.image = image, .count = count, .step = step, .kernels = nuke_filter_kernels_best()};
  filter->memory = calloc(2, margin + count);
  if (filter->memory == NULL) return false;
  filter->row = filter->memory + margin;
  filter->above = filter->row + count + margin;
  return true;
}

void nuke_png_filter_end(nuke_png_filter *filter) { free(filter->memory); }

// Returns log2 of a positive number, times 65536. The logarithm of the mantissa is approximated by a parabola through
// its ends.
static uint64_t fixed_log2(uint32_t value) {
  const int exponent = 31 - __builtin_clz(value);
  const uint64_t fraction = ((uint64_t)value << 16 >> exponent) - 65536;
  return ((uint64_t)exponent << 16) + (fraction * (88244 - (fraction * 22708 >> 16)) >> 16);
}

// Returns the entropy of `count` bytes, in bits times 65536.
static uint64_t entropy(const uint8_t *bytes, size_t count) {
  // For longer rows the beginning is sufficient, and the numbers fit into 32 bits.
  if (count > 1 << 24) count = 1 << 24;
  // Four tables in turn, so that equal neighbors do not depend on each other.
  uint32_t counts[4][256] = {0};
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (int k = 0; k < 4; k++) counts[k][bytes[i + k]]++;
  }
  for (; i < count; i++) counts[0][bytes[i]]++;
  // The sum of count * log2(all / count).
  uint64_t sum = (uint64_t)count * fixed_log2((uint32_t)count);
  for (int byte = 0; byte < 256; byte++) {
    const uint32_t number = counts[0][byte] + counts[1][byte] + counts[2][byte] + counts[3][byte];
    if (number > 1) sum -= number * fixed_log2(number);
  }
  return sum;
}

// Applies every filter to the row, and keeps the result with the smallest entropy.
static int least_entropy(nuke_png_filter *filter, uint8_t *output) {
  int best = 0;
  uint64_t least = UINT64_MAX;
  for (int number = 0; number < nuke_filter_count; number++) {
    filter->kernels->apply(output, filter->row, filter->above, filter->count, filter->step, number);
    const uint64_t bits = entropy(output, filter->count);
    if (bits >= least) continue;
    least = bits;
    best = number;
  }
  return best;
}

static int least_sum(nuke_png_filter *filter) {
  uint64_t costs[nuke_filter_count];
  filter->kernels->costs(costs, filter->row, filter->above, filter->count, filter->step);
  int best = 0;
  for (int number = 1; number < nuke_filter_count; number++) {
    if (costs[number] < costs[best]) best = number;
  }
  return best;
}

void nuke_png_filter_rows(
  nuke_png_filter *filter, uint32_t first, uint32_t count, nuke_png_filtering filtering, uint8_t *output) {
  const nuke_png_image *image = filter->image;
  if (first == 0) {
    memset(filter->above, 0, filter->count);
  } else if (filtering != nuke_png_filtering_none) {
    image->fill(image->context, first - 1, filter->above);
  }
  for (uint32_t y = first; y < first + count; y++, output += filter->count + 1) {
    image->fill(image->context, y, filter->row);
    const int number = filtering == nuke_png_filtering_none  ? 0
                       : filtering == nuke_png_filtering_sum ? least_sum(filter)
                                                             : least_entropy(filter, output + 1);
    output[0] = (uint8_t)number;
    filter->kernels->apply(output + 1, filter->row, filter->above, filter->count, filter->step, number);
    uint8_t *above = filter->above;
    filter->above = filter->row;
    filter->row = above;
  }
}
