#include "kernels.h"

#include <stdatomic.h>

// The table of one variant: resampling, the color matrix and neighbors from `wide`, the loops on floats from `floats`,
// and those for JPEG from `blocks`.
#define NUKE_TABLE(number, name, wide, floats, blocks)        \
  {                                                   \
    .variant = nuke_kernel_variant_##number,          \
    .premultiply = nuke_premultiply_##name,           \
    .unpremultiply = nuke_unpremultiply_##name,       \
    .swap_red_blue = nuke_swap_red_blue_##name,       \
    .rgb_to_rgba = nuke_rgb_to_rgba_##name,           \
    .gray_to_rgba = nuke_gray_to_rgba_##name,         \
    .gray_alpha_to_rgba = nuke_gray_alpha_to_rgba_##name, \
    .set_opaque = nuke_set_opaque_##name,             \
    .is_opaque = nuke_is_opaque_##name,               \
    .resample_columns = nuke_resample_columns_##wide, \
    .resample_rows = nuke_resample_rows_##wide, \
    .resample_light_columns = nuke_resample_light_columns_##name, \
    .resample_light_rows = nuke_resample_light_rows_##name, \
    .clamp_to_alpha = nuke_clamp_to_alpha_##name,     \
    .color_matrix = nuke_color_matrix_##wide,         \
    .planes = &nuke_planes_##floats,                  \
    .jpeg = &nuke_jpeg_##blocks,                      \
    .neighbors = &nuke_neighbors_##wide,            \
  }

static const nuke_kernels scalar = NUKE_TABLE(scalar, scalar, scalar, scalar, scalar);
#if NUKE_X86
static const nuke_kernels sse41 = NUKE_TABLE(sse41, sse41, sse41, scalar, sse41);
static const nuke_kernels avx2 = NUKE_TABLE(avx2, avx2, avx2, avx2, avx2);
static const nuke_kernels avx512 = NUKE_TABLE(avx512, avx2, avx512, avx512, avx2);
#elif NUKE_NEON
static const nuke_kernels neon = NUKE_TABLE(neon, neon, neon, scalar, neon);
#endif

const nuke_kernels *nuke_kernels_for(nuke_kernel_variant variant) {
  switch (variant) {
  case nuke_kernel_variant_scalar:
    return &scalar;
#if NUKE_X86
  case nuke_kernel_variant_sse41:
    return __builtin_cpu_supports("sse4.1") ? &sse41 : NULL;
  case nuke_kernel_variant_avx2:
    return __builtin_cpu_supports("avx2") ? &avx2 : NULL;
  case nuke_kernel_variant_avx512:
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni")
             ? &avx512
             : NULL;
#elif NUKE_NEON
  case nuke_kernel_variant_neon:
    return &neon;
#endif
  default:
    return NULL;
  }
}

#ifdef NUKE_FUZZING
static nuke_kernels current;

void nuke_kernels_choose(unsigned number) {
  static const nuke_kernel_variant variants[] = {
    nuke_kernel_variant_scalar, nuke_kernel_variant_sse41, nuke_kernel_variant_avx2, nuke_kernel_variant_avx512,
    nuke_kernel_variant_neon};
  const nuke_kernels *available[sizeof variants / sizeof *variants];
  unsigned count = 0;
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
    const nuke_kernels *kernels = nuke_kernels_for(variants[i]);
    if (kernels) available[count++] = kernels;
  }
  current = *available[number % count];
}

const nuke_kernels *nuke_kernels_best(void) { return &current; }
#else
const nuke_kernels *nuke_kernels_best(void) {
  // Threads that race here select the same table.
  static _Atomic(const nuke_kernels *) chosen = NULL;
  const nuke_kernels *table = atomic_load_explicit(&chosen, memory_order_relaxed);
  if (table) return table;
  static const nuke_kernel_variant best_first[] = {
    nuke_kernel_variant_neon, nuke_kernel_variant_avx512, nuke_kernel_variant_avx2, nuke_kernel_variant_sse41,
    nuke_kernel_variant_scalar};
  for (size_t i = 0; !table; i++) table = nuke_kernels_for(best_first[i]);
  atomic_store_explicit(&chosen, table, memory_order_relaxed);
  return table;
}
#endif
