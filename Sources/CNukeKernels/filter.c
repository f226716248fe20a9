#include "filter.h"

static void costs(
  uint64_t costs[nuke_filter_count], const uint8_t *row, const uint8_t *above, size_t count, size_t step) {
  for (int filter = 0; filter < nuke_filter_count; filter++) {
    costs[filter] = 0;
    for (size_t i = 0; i < count; i++) {
      costs[filter] += nuke_filtered_cost(nuke_filtered(row, above, i, step, filter));
    }
  }
}

static void apply(
  uint8_t *output, const uint8_t *row, const uint8_t *above, size_t count, size_t step, int filter) {
  for (size_t i = 0; i < count; i++) output[i] = nuke_filtered(row, above, i, step, filter);
}

const nuke_filter_kernels nuke_filter_scalar = {costs, apply};

const nuke_filter_kernels *nuke_filter_kernels_for(const nuke_kernels *kernels) {
#if NUKE_X86 || NUKE_NEON
  if (kernels->variant != nuke_kernel_variant_scalar) return &nuke_filter_wide;
#endif
  (void)kernels;
  return &nuke_filter_scalar;
}

const nuke_filter_kernels *nuke_filter_kernels_best(void) { return nuke_filter_kernels_for(nuke_kernels_best()); }
