// Sixteen bytes in a register, with the same names for SSE4.1 and NEON.
#pragma once
#include "kernels.h"

#include <string.h>

#if NUKE_X86

#define NUKE_WIDE NUKE_SSE41
#define WIDE_INLINE NUKE_SSE41 static inline __attribute__((always_inline))
typedef __m128i v16;

WIDE_INLINE v16 v_zero(void) { return _mm_setzero_si128(); }
WIDE_INLINE v16 v_load(const uint8_t *p) { return _mm_loadu_si128((const __m128i *)p); }
WIDE_INLINE void v_store(uint8_t *p, v16 a) { _mm_storeu_si128((__m128i *)p, a); }
WIDE_INLINE v16 v_add(v16 a, v16 b) { return _mm_add_epi8(a, b); }
WIDE_INLINE v16 v_sub(v16 a, v16 b) { return _mm_sub_epi8(a, b); }
// Saturates to 0.
WIDE_INLINE v16 v_less(v16 a, v16 b) { return _mm_subs_epu8(a, b); }
WIDE_INLINE v16 v_min(v16 a, v16 b) { return _mm_min_epu8(a, b); }
WIDE_INLINE v16 v_or(v16 a, v16 b) { return _mm_or_si128(a, b); }
WIDE_INLINE v16 v_equal(v16 a, v16 b) { return _mm_cmpeq_epi8(a, b); }
WIDE_INLINE v16 v_and(v16 a, v16 b) { return _mm_and_si128(a, b); }
WIDE_INLINE v16 v_select(v16 mask, v16 yes, v16 no) { return _mm_blendv_epi8(no, yes, mask); }
// The mean, rounded down.
WIDE_INLINE v16 v_mean(v16 a, v16 b) {
  return _mm_sub_epi8(_mm_avg_epu8(a, b), _mm_and_si128(_mm_xor_si128(a, b), _mm_set1_epi8(1)));
}
WIDE_INLINE v16 v_alpha(void) { return _mm_set1_epi32((int)0xFF000000); }
// The bytes of `a` at sixteen indices; zero for indices above 127.
WIDE_INLINE v16 v_pick(v16 a, v16 places) { return _mm_shuffle_epi8(a, places); }
WIDE_INLINE v16 v_load4(const uint8_t *p) {
  int32_t value;
  memcpy(&value, p, 4);
  return _mm_cvtsi32_si128(value);
}
WIDE_INLINE void v_store4(uint8_t *p, v16 a) {
  const int32_t value = _mm_cvtsi128_si32(a);
  memcpy(p, &value, 4);
}
WIDE_INLINE v16 v_load8(const uint8_t *p) { return _mm_loadl_epi64((const __m128i *)p); }
WIDE_INLINE void v_store8(uint8_t *p, v16 a) { _mm_storel_epi64((__m128i *)p, a); }
WIDE_INLINE v16 v_set(uint8_t value) { return _mm_set1_epi8((char)value); }
// Shifts bytes up and fills with zeros.
#define v_up(a, count) _mm_slli_si128(a, count)
// The last four bytes of `low`, followed by the first twelve of `high`.
WIDE_INLINE v16 v_behind(v16 high, v16 low) { return _mm_alignr_epi8(high, low, 12); }
// The last four bytes, four times.
WIDE_INLINE v16 v_last(v16 a) { return _mm_shuffle_epi32(a, 0xFF); }
WIDE_INLINE v16 v_low32(v16 a, v16 b) { return _mm_unpacklo_epi32(a, b); }
WIDE_INLINE v16 v_high32(v16 a, v16 b) { return _mm_unpackhi_epi32(a, b); }
WIDE_INLINE v16 v_low64(v16 a, v16 b) { return _mm_unpacklo_epi64(a, b); }
WIDE_INLINE v16 v_high64(v16 a, v16 b) { return _mm_unpackhi_epi64(a, b); }

#elif NUKE_NEON

#define NUKE_WIDE
#define WIDE_INLINE static inline __attribute__((always_inline))
typedef uint8x16_t v16;

WIDE_INLINE v16 v_zero(void) { return vdupq_n_u8(0); }
WIDE_INLINE v16 v_load(const uint8_t *p) { return vld1q_u8(p); }
WIDE_INLINE void v_store(uint8_t *p, v16 a) { vst1q_u8(p, a); }
WIDE_INLINE v16 v_add(v16 a, v16 b) { return vaddq_u8(a, b); }
WIDE_INLINE v16 v_sub(v16 a, v16 b) { return vsubq_u8(a, b); }
WIDE_INLINE v16 v_less(v16 a, v16 b) { return vqsubq_u8(a, b); }
WIDE_INLINE v16 v_min(v16 a, v16 b) { return vminq_u8(a, b); }
WIDE_INLINE v16 v_or(v16 a, v16 b) { return vorrq_u8(a, b); }
WIDE_INLINE v16 v_equal(v16 a, v16 b) { return vceqq_u8(a, b); }
WIDE_INLINE v16 v_and(v16 a, v16 b) { return vandq_u8(a, b); }
WIDE_INLINE v16 v_select(v16 mask, v16 yes, v16 no) { return vbslq_u8(mask, yes, no); }
WIDE_INLINE v16 v_mean(v16 a, v16 b) { return vhaddq_u8(a, b); }
WIDE_INLINE v16 v_alpha(void) { return vreinterpretq_u8_u32(vdupq_n_u32(0xFF000000)); }
WIDE_INLINE v16 v_pick(v16 a, v16 places) { return vqtbl1q_u8(a, places); }
WIDE_INLINE v16 v_load4(const uint8_t *p) {
  uint32_t value;
  memcpy(&value, p, 4);
  return vreinterpretq_u8_u32(vsetq_lane_u32(value, vdupq_n_u32(0), 0));
}
WIDE_INLINE void v_store4(uint8_t *p, v16 a) {
  const uint32_t value = vgetq_lane_u32(vreinterpretq_u32_u8(a), 0);
  memcpy(p, &value, 4);
}
WIDE_INLINE v16 v_load8(const uint8_t *p) { return vcombine_u8(vld1_u8(p), vdup_n_u8(0)); }
WIDE_INLINE void v_store8(uint8_t *p, v16 a) { vst1_u8(p, vget_low_u8(a)); }
WIDE_INLINE v16 v_set(uint8_t value) { return vdupq_n_u8(value); }
#define v_up(a, count) vextq_u8(vdupq_n_u8(0), a, 16 - (count))
WIDE_INLINE v16 v_behind(v16 high, v16 low) { return vextq_u8(low, high, 12); }
WIDE_INLINE v16 v_last(v16 a) { return vreinterpretq_u8_u32(vdupq_laneq_u32(vreinterpretq_u32_u8(a), 3)); }
#define NUKE_ZIP(name, bits, zip)                                                              \
  WIDE_INLINE v16 name(v16 a, v16 b) {                                                         \
    return vreinterpretq_u8_u##bits(zip(vreinterpretq_u##bits##_u8(a), vreinterpretq_u##bits##_u8(b))); \
  }
NUKE_ZIP(v_low32, 32, vzip1q_u32)
NUKE_ZIP(v_high32, 32, vzip2q_u32)
NUKE_ZIP(v_low64, 64, vzip1q_u64)
NUKE_ZIP(v_high64, 64, vzip2q_u64)

#endif

#if NUKE_X86 || NUKE_NEON

// The neighbor nearest to left + up - corner, in bytes. The first one of the three wins a tie.
//
// If left and up are on the same side of the corner, the distance of the corner is the sum of their distances, so it is
// never the nearest. Otherwise it is the difference.
WIDE_INLINE v16 v_paeth(v16 left, v16 up, v16 corner) {
  const v16 up_above = v_less(up, corner), up_below = v_less(corner, up);
  const v16 left_above = v_less(left, corner), left_below = v_less(corner, left);
  const v16 from_left = v_or(up_above, up_below), from_up = v_or(left_above, left_below);
  const v16 nearest = v_min(from_left, from_up);
  const v16 side = v_select(v_equal(nearest, from_left), left, up);
  const v16 from_corner = v_or(v_less(from_left, from_up), v_less(from_up, from_left));
  // Zero if the corner is at least as far as the nearest side, or if both sides are on one side of it.
  const v16 nearer = v_less(nearest, from_corner);
  const v16 same = v_or(v_min(up_above, left_above), v_min(up_below, left_below));
  const v16 is_corner = v_less(v_equal(same, v_zero()), v_equal(nearer, v_zero()));
  return v_select(is_corner, corner, side);
}

#endif
