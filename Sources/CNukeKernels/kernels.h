#pragma once
#include "CNukeKernels.h"

#if defined(__x86_64__)
#define NUKE_X86 1
#include <immintrin.h>
#define NUKE_SSE41 __attribute__((target("sse4.1")))
#define NUKE_AVX2 __attribute__((target("avx2")))
#define NUKE_AVX512 __attribute__((target("avx2,avx512f,avx512bw,avx512vl,avx512vnni")))
#elif defined(__aarch64__)
#define NUKE_NEON 1
#include <arm_neon.h>
#endif

#define NUKE_HIDDEN __attribute__((visibility("hidden")))

// The functions of each variant, one file per topic. If a variant would not benefit from its own code, dispatch.c uses
// that of the next simpler one.
#define NUKE_DECLARE_RESAMPLING(variant)                                                         \
  NUKE_HIDDEN void nuke_resample_columns_##variant(                                              \
    uint8_t *const *, const uint8_t *const *, int32_t, const nuke_resampling_axis *);            \
  NUKE_HIDDEN void nuke_resample_rows_##variant(                                                 \
    uint8_t *, const uint8_t *const *, size_t, const int16_t *, int32_t);

#define NUKE_DECLARE_LIGHT(variant)                                                              \
  NUKE_HIDDEN void nuke_resample_light_columns_##variant(                                        \
    int16_t *const *, const int16_t *const *, int32_t, const nuke_resampling_axis *);            \
  NUKE_HIDDEN void nuke_resample_light_rows_##variant(                                           \
    int16_t *, const int16_t *const *, size_t, const int16_t *, int32_t);

#define NUKE_DECLARE_COLOR(variant) \
  NUKE_HIDDEN void nuke_color_matrix_##variant(uint8_t *, const uint8_t *, size_t, const int16_t *);

#define NUKE_DECLARE_KERNELS(variant)                                                            \
  NUKE_HIDDEN bool nuke_premultiply_##variant(uint8_t *, const uint8_t *, size_t);               \
  NUKE_HIDDEN void nuke_unpremultiply_##variant(uint8_t *, const uint8_t *, size_t);             \
  NUKE_HIDDEN void nuke_swap_red_blue_##variant(uint8_t *, const uint8_t *, size_t);             \
  NUKE_HIDDEN void nuke_rgb_to_rgba_##variant(uint8_t *, const uint8_t *, size_t);               \
  NUKE_HIDDEN void nuke_gray_to_rgba_##variant(uint8_t *, const uint8_t *, size_t);              \
  NUKE_HIDDEN void nuke_gray_alpha_to_rgba_##variant(uint8_t *, const uint8_t *, size_t);        \
  NUKE_HIDDEN void nuke_set_opaque_##variant(uint8_t *, size_t);                                 \
  NUKE_HIDDEN bool nuke_is_opaque_##variant(const uint8_t *, size_t);                            \
  NUKE_HIDDEN void nuke_clamp_to_alpha_##variant(uint8_t *, size_t);                             \
  NUKE_DECLARE_RESAMPLING(variant)                                                               \
  NUKE_DECLARE_LIGHT(variant)                                                                    \
  NUKE_DECLARE_COLOR(variant)

#define NUKE_DECLARE_PLANES(variant) extern NUKE_HIDDEN const nuke_plane_kernels nuke_planes_##variant;
#define NUKE_DECLARE_NEIGHBORS(variant) extern NUKE_HIDDEN const nuke_neighbor_kernels nuke_neighbors_##variant;

#define NUKE_DECLARE_JPEG(variant) extern NUKE_HIDDEN const nuke_jpeg_kernels nuke_jpeg_##variant;

NUKE_DECLARE_KERNELS(scalar)
NUKE_DECLARE_PLANES(scalar)
NUKE_DECLARE_JPEG(scalar)
NUKE_DECLARE_NEIGHBORS(scalar)
#if NUKE_X86
NUKE_DECLARE_KERNELS(sse41)
NUKE_DECLARE_KERNELS(avx2)
NUKE_DECLARE_RESAMPLING(avx512)
NUKE_DECLARE_COLOR(avx512)
NUKE_DECLARE_PLANES(avx2)
NUKE_DECLARE_PLANES(avx512)
NUKE_DECLARE_JPEG(sse41)
NUKE_DECLARE_JPEG(avx2)
NUKE_DECLARE_NEIGHBORS(sse41)
NUKE_DECLARE_NEIGHBORS(avx2)
NUKE_DECLARE_NEIGHBORS(avx512)
#elif NUKE_NEON
NUKE_DECLARE_KERNELS(neon)
NUKE_DECLARE_NEIGHBORS(neon)
NUKE_DECLARE_JPEG(neon)
#endif
