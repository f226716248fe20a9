// The inverse transforms with vector instructions. Included once for each register width, with these macros:
//
//   VARIANT, TARGET   the suffix of the function names, and the target attribute
//   LANES             the number of blocks in a register, each in 128 bits
//   V, OP(name)       the register type, and the name of an intrinsic
//   NARROWER(name)    the function for the remaining blocks, if LANES is 2
//
// All operations work within 128 bits, so that the code is the same for one block and for two.
#define GLUE_(a, b) a##_##b
#define GLUE(a, b) GLUE_(a, b)
#define LOCAL(name) GLUE(name, VARIANT)
#define INLINE TARGET static inline __attribute__((always_inline))

#if LANES == 1
#define LOADED(p) LOAD128(p)
#define EVERYWHERE(v) (v)
#define LANE(v, i) (v)
#if NUKE_NEON
#define LOAD128(p) vld1q_s16((const int16_t *)(p))
#define IS_ZERO(v) (vmaxvq_u16(vreinterpretq_u16_s16(v)) == 0)
#define SET_ZERO() vdupq_n_s16(0)
#define OR(a, b) vorrq_s16(a, b)
#define AND(a, b) vandq_s16(a, b)
#else
#define LOAD128(p) _mm_loadu_si128((const __m128i *)(p))
#define IS_ZERO(v) _mm_testz_si128(v, v)
#define SET_ZERO() _mm_setzero_si128()
#define OR(a, b) _mm_or_si128(a, b)
#define AND(a, b) _mm_and_si128(a, b)
#endif
#elif LANES == 2
#define LOAD128(p) _mm_loadu_si128((const __m128i *)(p))
#define LOADED(p) _mm256_inserti128_si256(_mm256_castsi128_si256(LOAD128(p)), LOAD128((p) + 64), 1)
#define EVERYWHERE(v) _mm256_broadcastsi128_si256(v)
#define IS_ZERO(v) _mm256_testz_si256(v, v)
#define LANE(v, i) ((i) == 0 ? _mm256_castsi256_si128(v) : _mm256_extracti128_si256(v, 1))
#define SET_ZERO() _mm256_setzero_si256()
#define OR(a, b) _mm256_or_si256(a, b)
#define AND(a, b) _mm256_and_si256(a, b)
#endif

// Returns two factors as the operand of pmaddwd.
INLINE V LOCAL(pair)(int low, int high) { return OP(set1_epi32)((int)((unsigned)high << 16 | (low & 0xFFFF))); }

#define MADD(v, low, high) OP(madd_epi16)(v, LOCAL(pair)(low, high))
#define SUM(a, b) OP(add_epi32)(a, b)
#define DIFFERENCE(a, b) OP(sub_epi32)(a, b)

// Shifts sums right by `bits` with rounding, and narrows the two halves of a row to 16 bits.
#define ROUNDED(v, bits) OP(srai_epi32)(SUM(v, OP(set1_epi32)(1 << ((bits) - 1))), bits)
#define DESCALED(low, high, bits) OP(packs_epi32)(ROUNDED(low, bits), ROUNDED(high, bits))

// The 1-D transform of eight columns.
INLINE void LOCAL(columns8)(V *r, const int bits) {
  const V zero = SET_ZERO();
  V low[8], high[8];
  const V even = OP(add_epi16)(r[0], r[4]), uneven = OP(sub_epi16)(r[0], r[4]);
  const V z3 = OP(add_epi16)(r[7], r[3]), z4 = OP(add_epi16)(r[5], r[1]);
#define HALF(half, unpack)                                                                      \
  {                                                                                             \
    const V pair26 = OP(unpack)(r[2], r[6]), pair34 = OP(unpack)(z3, z4);                       \
    const V pair71 = OP(unpack)(r[7], r[1]), pair53 = OP(unpack)(r[5], r[3]);                   \
    const V a = OP(srai_epi32)(OP(unpack)(zero, even), 3), b = OP(srai_epi32)(OP(unpack)(zero, uneven), 3); \
    const V c = MADD(pair26, F_0_541 + F_0_765, F_0_541), d = MADD(pair26, F_0_541, F_0_541 - F_1_847); \
    const V t10 = SUM(a, c), t13 = DIFFERENCE(a, c), t11 = SUM(b, d), t12 = DIFFERENCE(b, d);   \
    const V e = MADD(pair34, F_1_175 - F_1_961, F_1_175), f = MADD(pair34, F_1_175, F_1_175 - F_0_390); \
    const V t0 = SUM(MADD(pair71, F_0_298 - F_0_899, -F_0_899), e);                             \
    const V t1 = SUM(MADD(pair53, F_2_053 - F_2_562, -F_2_562), f);                             \
    const V t2 = SUM(MADD(pair53, -F_2_562, F_3_072 - F_2_562), e);                             \
    const V t3 = SUM(MADD(pair71, -F_0_899, F_1_501 - F_0_899), f);                             \
    half[0] = SUM(t10, t3), half[7] = DIFFERENCE(t10, t3);                                      \
    half[1] = SUM(t11, t2), half[6] = DIFFERENCE(t11, t2);                                      \
    half[2] = SUM(t12, t1), half[5] = DIFFERENCE(t12, t1);                                      \
    half[3] = SUM(t13, t0), half[4] = DIFFERENCE(t13, t0);                                      \
  }
  HALF(low, unpacklo_epi16)
  HALF(high, unpackhi_epi16)
#undef HALF
  for (int i = 0; i < 8; i++) r[i] = DESCALED(low[i], high[i], bits);
}

INLINE void LOCAL(transpose8)(V *r) {
  V a[8], b[8];
  for (int i = 0; i < 4; i++) {
    a[i * 2] = OP(unpacklo_epi16)(r[i * 2], r[i * 2 + 1]);
    a[i * 2 + 1] = OP(unpackhi_epi16)(r[i * 2], r[i * 2 + 1]);
  }
  for (int i = 0; i < 2; i++) {
    b[i * 4] = OP(unpacklo_epi32)(a[i * 4], a[i * 4 + 2]);
    b[i * 4 + 1] = OP(unpackhi_epi32)(a[i * 4], a[i * 4 + 2]);
    b[i * 4 + 2] = OP(unpacklo_epi32)(a[i * 4 + 1], a[i * 4 + 3]);
    b[i * 4 + 3] = OP(unpackhi_epi32)(a[i * 4 + 1], a[i * 4 + 3]);
  }
  for (int i = 0; i < 4; i++) {
    r[i * 2] = OP(unpacklo_epi64)(b[i], b[i + 4]);
    r[i * 2 + 1] = OP(unpackhi_epi64)(b[i], b[i + 4]);
  }
}

#define CENTERED(v) OP(add_epi8)(v, OP(set1_epi8)(-128))
#define STEPS(row) EVERYWHERE(LOAD128(steps + (row) * 8))

TARGET void LOCAL(nuke_jpeg_inverse_dct8)(
  uint8_t *samples, size_t stride, const int16_t *blocks, size_t count, const uint16_t *steps) {
  const V detail = EVERYWHERE(LOAD128(all_but_first));
  size_t index = 0;
  for (; index + LANES <= count; index += LANES, blocks += 64 * LANES, samples += 8 * LANES) {
    V r[8], below = SET_ZERO();
    for (int i = 0; i < 8; i++) r[i] = LOADED(blocks + i * 8);
    for (int i = 1; i < 8; i++) below = OR(below, r[i]);
    if (IS_ZERO(OR(below, AND(r[0], detail)))) {
      for (int lane = 0; lane < LANES; lane++) {
        const uint64_t row = nuke_flat(blocks[lane * 64], steps[0]) * 0x0101010101010101u;
        for (size_t y = 0; y < 8; y++) memcpy(samples + y * stride + lane * 8, &row, 8);
      }
      continue;
    }
    r[0] = OP(mullo_epi16)(r[0], STEPS(0));
    if (IS_ZERO(below)) {
      r[0] = OP(slli_epi16)(r[0], 2);
      for (int i = 1; i < 8; i++) r[i] = r[0];
    } else {
#if LANES > 1
      // A block with nonzero coefficients only in the first row overflows where others saturate. Two different blocks
      // take the same path here, so that large coefficients are left to the transform of one block.
      if (!IS_ZERO(AND(OP(add_epi16)(r[0], OP(set1_epi16)(8192)), OP(set1_epi16)((short)0xC000)))) {
        for (size_t lane = 0; lane < LANES; lane++) {
          NARROWER(nuke_jpeg_inverse_dct8)(samples + lane * 8, stride, blocks + lane * 64, 1, steps);
        }
        continue;
      }
#endif
      for (int i = 1; i < 8; i++) r[i] = OP(mullo_epi16)(r[i], STEPS(i));
      LOCAL(columns8)(r, 11);
    }
    LOCAL(transpose8)(r);
    LOCAL(columns8)(r, 18);
    LOCAL(transpose8)(r);
    for (int i = 0; i < 8; i += 2) {
      const V rows = CENTERED(OP(packs_epi16)(r[i], r[i + 1]));
      uint8_t *first = samples + (size_t)i * stride, *second = first + stride;
#if LANES == 1
      memcpy(first, &rows, 8);
      memcpy(second, (const uint8_t *)&rows + 8, 8);
#else
      const V sorted = _mm256_permute4x64_epi64(rows, 0xD8);
      _mm_storeu_si128((__m128i *)first, LANE(sorted, 0));
      _mm_storeu_si128((__m128i *)second, LANE(sorted, 1));
#endif
    }
  }
#if LANES > 1
  if (index < count) NARROWER(nuke_jpeg_inverse_dct8)(samples, stride, blocks, count - index, steps);
#endif
}

// The 1-D transform of eight inputs to four outputs, as sums of 32 bits. Input 4 has no effect.
#define REDUCED4(v, unpack, out, bits)                                                                          \
  {                                                                                                             \
    const V pair13 = OP(unpack)(v[1], v[3]), pair57 = OP(unpack)(v[5], v[7]), pair26 = OP(unpack)(v[2], v[6]);  \
    const V a = OP(srai_epi32)(OP(unpack)(SET_ZERO(), v[0]), 2), b = MADD(pair26, F_1_847, -F_0_765);           \
    const V t10 = SUM(a, b), t12 = DIFFERENCE(a, b);                                                            \
    const V t0 = SUM(MADD(pair13, F_1_061, -F_2_172), MADD(pair57, F_1_451, -F_0_211));                         \
    const V t2 = SUM(MADD(pair13, F_2_562, F_0_899), MADD(pair57, -F_0_601, -F_0_509));                         \
    out[0] = SUM(t10, t2), out[3] = DIFFERENCE(t10, t2), out[1] = SUM(t12, t0), out[2] = DIFFERENCE(t12, t0);   \
  }

TARGET void LOCAL(nuke_jpeg_inverse_dct4)(
  uint8_t *samples, size_t stride, const int16_t *blocks, size_t count, const uint16_t *steps) {
  const V detail = EVERYWHERE(LOAD128(all_but_first));
  size_t index = 0;
  for (; index + LANES <= count; index += LANES, blocks += 64 * LANES, samples += 4 * LANES) {
    V r[8], below = SET_ZERO();
    r[0] = LOADED(blocks);
    for (int i = 1; i < 8; i++) {
      if (i == 4) continue;
      r[i] = LOADED(blocks + i * 8);
      below = OR(below, r[i]);
    }
    if (IS_ZERO(OR(below, AND(r[0], detail)))) {
      for (int lane = 0; lane < LANES; lane++) {
        const uint32_t row = nuke_flat(blocks[lane * 64], steps[0]) * 0x01010101u;
        for (size_t y = 0; y < 4; y++) memcpy(samples + y * stride + lane * 4, &row, 4);
      }
      continue;
    }
    r[0] = OP(mullo_epi16)(r[0], STEPS(0));
    V rows[4];
    if (IS_ZERO(below)) {
      rows[0] = OP(slli_epi16)(r[0], 2);
      for (int i = 1; i < 4; i++) rows[i] = rows[0];
    } else {
#if LANES > 1
      if (!IS_ZERO(AND(OP(add_epi16)(r[0], OP(set1_epi16)(8192)), OP(set1_epi16)((short)0xC000)))) {
        for (size_t lane = 0; lane < LANES; lane++) {
          NARROWER(nuke_jpeg_inverse_dct4)(samples + lane * 4, stride, blocks + lane * 64, 1, steps);
        }
        continue;
      }
#endif
      for (int i = 1; i < 8; i++) {
        if (i != 4) r[i] = OP(mullo_epi16)(r[i], STEPS(i));
      }
      V low[4], high[4];
      REDUCED4(r, unpacklo_epi16, low, 12)
      REDUCED4(r, unpackhi_epi16, high, 12)
      for (int i = 0; i < 4; i++) rows[i] = DESCALED(low[i], high[i], 12);
    }
    // Transposes: two columns of four in each register, then one in the lower half of each.
    const V a = OP(unpacklo_epi16)(rows[0], rows[1]), b = OP(unpackhi_epi16)(rows[0], rows[1]);
    const V c = OP(unpacklo_epi16)(rows[2], rows[3]), d = OP(unpackhi_epi16)(rows[2], rows[3]);
    const V column01 = OP(unpacklo_epi32)(a, c), column23 = OP(unpackhi_epi32)(a, c);
    const V column45 = OP(unpacklo_epi32)(b, d), column67 = OP(unpackhi_epi32)(b, d);
    const V columns[8] = {
      column01, OP(unpackhi_epi64)(column01, column01), column23, OP(unpackhi_epi64)(column23, column23),
      column45, OP(unpackhi_epi64)(column45, column45), column67, OP(unpackhi_epi64)(column67, column67)};
    V sums[4];
    REDUCED4(columns, unpacklo_epi16, sums, 19)
    const V even = DESCALED(sums[0], sums[2], 19), odd = DESCALED(sums[1], sums[3], 19);
    const V left = OP(unpacklo_epi16)(even, odd), right = OP(unpackhi_epi16)(even, odd);
    const V bytes =
      CENTERED(OP(packs_epi16)(OP(unpacklo_epi32)(left, right), OP(unpackhi_epi32)(left, right)));
#if LANES == 1
    uint32_t row[4];
    memcpy(row, &bytes, 16);
    for (size_t y = 0; y < 4; y++) memcpy(samples + y * stride, row + y, 4);
#else
    uint64_t row[4];
    const __m128i first = LANE(bytes, 0), second = LANE(bytes, 1);
    _mm_storeu_si128((__m128i *)row, _mm_unpacklo_epi32(first, second));
    _mm_storeu_si128((__m128i *)(row + 2), _mm_unpackhi_epi32(first, second));
    for (size_t y = 0; y < 4; y++) memcpy(samples + y * stride, row + y, 8);
#endif
  }
#if LANES > 1
  if (index < count) NARROWER(nuke_jpeg_inverse_dct4)(samples, stride, blocks, count - index, steps);
#endif
}

TARGET void LOCAL(nuke_jpeg_inverse_dct2)(
  uint8_t *samples, size_t stride, const int16_t *blocks, size_t count, const uint16_t *steps) {
  const V detail = EVERYWHERE(LOAD128(all_but_first));
  const V factors = EVERYWHERE(LOAD128(factors_of_odd_columns));
  const V steps0 = STEPS(0), steps1 = STEPS(1), steps3 = STEPS(3), steps5 = STEPS(5), steps7 = STEPS(7);
  size_t index = 0;
  for (; index + LANES <= count; index += LANES, blocks += 64 * LANES, samples += 2 * LANES) {
    const V r0 = LOADED(blocks), r1 = LOADED(blocks + 8), r3 = LOADED(blocks + 24);
    const V r5 = LOADED(blocks + 40), r7 = LOADED(blocks + 56);
    if (IS_ZERO(OR(OR(OR(r1, r3), OR(r5, r7)), AND(r0, detail)))) {
      for (int lane = 0; lane < LANES; lane++) {
        const uint8_t byte = nuke_flat2(blocks[lane * 64], steps[0]);
        samples[lane * 2] = samples[lane * 2 + 1] = byte;
        samples[stride + lane * 2] = samples[stride + lane * 2 + 1] = byte;
      }
      continue;
    }
    const V v0 = OP(mullo_epi16)(r0, steps0), v1 = OP(mullo_epi16)(r1, steps1), v3 = OP(mullo_epi16)(r3, steps3);
    const V v5 = OP(mullo_epi16)(r5, steps5), v7 = OP(mullo_epi16)(r7, steps7);
#define HALF(unpack, plus, minus)                                                             \
  const V plus##even = OP(srai_epi32)(OP(unpack)(SET_ZERO(), v0), 1);                         \
  const V plus##odd = SUM(                                                                    \
    MADD(OP(unpack)(v1, v3), F_3_624, -F_1_272), MADD(OP(unpack)(v5, v7), F_0_850, -F_0_720)); \
  const V plus = ROUNDED(SUM(plus##even, plus##odd), 13);                                     \
  const V minus = ROUNDED(DIFFERENCE(plus##even, plus##odd), 13);
    HALF(unpacklo_epi16, low_a, low_b)
    HALF(unpackhi_epi16, high_a, high_b)
#undef HALF
    const V a = OP(madd_epi16)(OP(packs_epi32)(low_a, high_a), factors);
    const V b = OP(madd_epi16)(OP(packs_epi32)(low_b, high_b), factors);
    const V halves = SUM(OP(unpacklo_epi32)(a, b), OP(unpackhi_epi32)(a, b));
    const V odd = SUM(halves, OP(unpackhi_epi64)(halves, halves));
    const V even = OP(slli_epi32)(OP(unpacklo_epi32)(low_a, low_b), 15);
    const V sums = OP(unpacklo_epi32)(SUM(even, odd), DIFFERENCE(even, odd));
    const V words = DESCALED(sums, sums, 20);
    const V bytes = CENTERED(OP(packs_epi16)(words, words));
    uint8_t squares[16 * LANES];
    memcpy(squares, &bytes, sizeof squares);
    for (int lane = 0; lane < LANES; lane++) {
      memcpy(samples + lane * 2, squares + lane * 16, 2);
      memcpy(samples + stride + lane * 2, squares + lane * 16 + 2, 2);
    }
  }
#if LANES > 1
  if (index < count) NARROWER(nuke_jpeg_inverse_dct2)(samples, stride, blocks, count - index, steps);
#endif
}

#undef GLUE_
#undef GLUE
#undef LOCAL
#undef INLINE
#undef LOADED
#undef EVERYWHERE
#undef IS_ZERO
#undef LANE
#undef SET_ZERO
#undef OR
#undef AND
#undef MADD
#undef SUM
#undef DIFFERENCE
#undef ROUNDED
#undef DESCALED
#undef LOAD128
#undef CENTERED
#undef STEPS
#undef REDUCED4
