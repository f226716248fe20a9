#include "bytes16.h"
#include "filter.h"

#if NUKE_X86 || NUKE_NEON

// The cost of sixteen filtered bytes: the smaller one of each unsigned byte and its negative.
WIDE_INLINE v16 v_cost(v16 a) { return v_min(a, v_sub(v_zero(), a)); }

// Sums many bytes.
#if NUKE_X86
typedef __m128i v_sum;
WIDE_INLINE v_sum v_sum_zero(void) { return _mm_setzero_si128(); }
WIDE_INLINE void v_sum_add(v_sum *sum, v16 a) {
  *sum = _mm_add_epi64(*sum, _mm_sad_epu8(a, _mm_setzero_si128()));
}
WIDE_INLINE uint64_t v_sum_total(v_sum sum) {
  return (uint64_t)_mm_cvtsi128_si64(sum) + (uint64_t)_mm_extract_epi64(sum, 1);
}
#else
typedef uint64x2_t v_sum;
WIDE_INLINE v_sum v_sum_zero(void) { return vdupq_n_u64(0); }
WIDE_INLINE void v_sum_add(v_sum *sum, v16 a) {
  *sum = vpadalq_u32(*sum, vpaddlq_u16(vpaddlq_u8(a)));
}
WIDE_INLINE uint64_t v_sum_total(v_sum sum) { return vgetq_lane_u64(sum, 0) + vgetq_lane_u64(sum, 1); }
#endif

NUKE_WIDE static void costs(
  uint64_t costs[nuke_filter_count], const uint8_t *row, const uint8_t *above, size_t count, size_t step) {
  v_sum sums[nuke_filter_count];
  for (int filter = 0; filter < nuke_filter_count; filter++) sums[filter] = v_sum_zero();
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const v16 x = v_load(row + i), up = v_load(above + i);
    const v16 left = v_load(row + i - step), corner = v_load(above + i - step);
    v_sum_add(&sums[0], v_cost(x));
    v_sum_add(&sums[1], v_cost(v_sub(x, left)));
    v_sum_add(&sums[2], v_cost(v_sub(x, up)));
    v_sum_add(&sums[3], v_cost(v_sub(x, v_mean(left, up))));
    v_sum_add(&sums[4], v_cost(v_sub(x, v_paeth(left, up, corner))));
  }
  for (int filter = 0; filter < nuke_filter_count; filter++) {
    costs[filter] = v_sum_total(sums[filter]);
    for (size_t k = i; k < count; k++) {
      costs[filter] += nuke_filtered_cost(nuke_filtered(row, above, k, step, filter));
    }
  }
}

// Inlined with a constant filter, so that each filter has its own loop.
WIDE_INLINE void apply_filter(
  uint8_t *output, const uint8_t *row, const uint8_t *above, size_t count, size_t step, int filter) {
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const v16 x = v_load(row + i), up = v_load(above + i);
    const v16 left = v_load(row + i - step), corner = v_load(above + i - step);
    const v16 predicted = filter == 0   ? v_zero()
                          : filter == 1 ? left
                          : filter == 2 ? up
                          : filter == 3 ? v_mean(left, up)
                                        : v_paeth(left, up, corner);
    v_store(output + i, v_sub(x, predicted));
  }
  for (; i < count; i++) output[i] = nuke_filtered(row, above, i, step, filter);
}

NUKE_WIDE static void apply(
  uint8_t *output, const uint8_t *row, const uint8_t *above, size_t count, size_t step, int filter) {
  switch (filter) {
  case 0: apply_filter(output, row, above, count, step, 0); break;
  case 1: apply_filter(output, row, above, count, step, 1); break;
  case 2: apply_filter(output, row, above, count, step, 2); break;
  case 3: apply_filter(output, row, above, count, step, 3); break;
  default: apply_filter(output, row, above, count, step, 4);
  }
}

const nuke_filter_kernels nuke_filter_wide = {costs, apply};

#endif
