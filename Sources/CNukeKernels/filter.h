#pragma once
#include "CNukeFilter.h"
#include "kernels.h"

#include <stdlib.h>

// The neighbor nearest to left + up - corner. The first one of the three wins a tie.
static inline int nuke_paeth(int left, int up, int corner) {
  const int from_left = abs(up - corner), from_up = abs(left - corner), from_corner = abs(left + up - 2 * corner);
  const int side = from_up < from_left ? up : left;
  return from_corner < (from_up < from_left ? from_up : from_left) ? corner : side;
}

// Returns the byte at `i` of a filtered row.
static inline __attribute__((always_inline)) uint8_t nuke_filtered(
  const uint8_t *row, const uint8_t *above, size_t i, size_t step, int filter) {
  const uint8_t *left = row + i - step, *corner = above + i - step;
  switch (filter) {
  case 0: return row[i];
  case 1: return (uint8_t)(row[i] - *left);
  case 2: return (uint8_t)(row[i] - above[i]);
  case 3: return (uint8_t)(row[i] - (*left + above[i]) / 2);
  default: return (uint8_t)(row[i] - nuke_paeth(*left, above[i], *corner));
  }
}

// Returns the cost of a filtered byte.
static inline unsigned nuke_filtered_cost(uint8_t byte) { return byte < 128 ? byte : 256u - byte; }

extern NUKE_HIDDEN const nuke_filter_kernels nuke_filter_scalar;
#if NUKE_X86 || NUKE_NEON
extern NUKE_HIDDEN const nuke_filter_kernels nuke_filter_wide;
#endif
