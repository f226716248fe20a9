// Compares every kernel variant that this processor runs with the scalar one, byte for byte, on seeded random input.
// Stands alone, so that it can be cross-compiled: see Scripts/kernels-arm64.
#include "CNukeKernels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 1;
static uint64_t comparisons;

// SplitMix64.
static uint32_t random_below(uint32_t bound) {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ (z >> 31)) % bound);
}

static void *allocate(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory) exit(3);
  return memory;
}

static uint8_t *noise(size_t bytes) {
  uint8_t *memory = allocate(bytes);
  for (size_t i = 0; i < bytes; i++) memory[i] = (uint8_t)random_below(256);
  return memory;
}

static void same(const char *what, const uint8_t *expected, const uint8_t *found, size_t bytes) {
  comparisons++;
  for (size_t i = 0; i < bytes; i++) {
    if (expected[i] == found[i]) continue;
    printf("FAILED %s: byte %zu of %zu is %d, expected %d\n", what, i, bytes, found[i], expected[i]);
    exit(1);
  }
}

static void same_flag(const char *what, bool expected, bool found) {
  const uint8_t a = expected, b = found;
  same(what, &a, &b, 1);
}

// Every color under every alpha, and every length up to a few registers; the blocks are exactly as long as the pixels,
// so that a sanitizer sees a step outside.
static void test_pixels(const nuke_kernels *scalar, const nuke_kernels *tested) {
  typedef void (*kernel)(uint8_t *, const uint8_t *, size_t);
  const struct {
    const char *name;
    kernel expected, tested;
    size_t source_bytes;
  } kernels[] = {
    {"unpremultiply", scalar->unpremultiply, tested->unpremultiply, 4},
    {"swap_red_blue", scalar->swap_red_blue, tested->swap_red_blue, 4},
    {"rgb_to_rgba", scalar->rgb_to_rgba, tested->rgb_to_rgba, 3},
    {"gray_to_rgba", scalar->gray_to_rgba, tested->gray_to_rgba, 1},
    {"gray_alpha_to_rgba", scalar->gray_alpha_to_rgba, tested->gray_alpha_to_rgba, 2},
  };
  uint8_t *pairs = allocate(65536 * 4), *a = allocate(65536 * 4), *b = allocate(65536 * 4);
  for (unsigned i = 0; i < 65536; i++) {
    pairs[i * 4] = (uint8_t)i;
    pairs[i * 4 + 1] = (uint8_t)(255 - i);
    pairs[i * 4 + 2] = (uint8_t)i;
    pairs[i * 4 + 3] = (uint8_t)(i >> 8);
  }
  scalar->premultiply(a, pairs, 65536);
  tested->premultiply(b, pairs, 65536);
  same("premultiply of every pair", a, b, 65536 * 4);
  scalar->unpremultiply(a, pairs, 65536);
  tested->unpremultiply(b, pairs, 65536);
  same("unpremultiply of every pair", a, b, 65536 * 4);
  free(pairs);
  free(a);
  free(b);

  for (size_t count = 0; count < 80; count++) {
    a = allocate(count * 4);
    b = allocate(count * 4);
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
      uint8_t *source = noise(count * kernels[k].source_bytes);
      kernels[k].expected(a, source, count);
      kernels[k].tested(b, source, count);
      same(kernels[k].name, a, b, count * 4);
      free(source);
    }
    uint8_t *pixels = noise(count * 4);
    memcpy(a, pixels, count * 4);
    memcpy(b, pixels, count * 4);
    same_flag("premultiply in place", scalar->premultiply(a, a, count), tested->premultiply(b, b, count));
    same("premultiply in place", a, b, count * 4);
    memcpy(a, pixels, count * 4);
    memcpy(b, pixels, count * 4);
    scalar->clamp_to_alpha(a, count);
    tested->clamp_to_alpha(b, count);
    same("clamp_to_alpha", a, b, count * 4);
    scalar->set_opaque(a, count);
    tested->set_opaque(b, count);
    same("set_opaque", a, b, count * 4);
    same_flag("is_opaque", true, tested->is_opaque(b, count));
    same_flag("premultiply of opaque", true, tested->premultiply(b, b, count));
    for (size_t i = 0; i < count; i++) {
      b[i * 4 + 3] = 254;
      same_flag("is_opaque", false, tested->is_opaque(b, count));
      memcpy(a, b, count * 4);
      same_flag("premultiply", false, tested->premultiply(a, a, count));
      b[i * 4 + 3] = 255;
    }
    free(pixels);
    free(a);
    free(b);
  }
}

// Weights that sum to one, with lobes below zero, at places that do not go back.
static nuke_resampling_axis random_axis(int32_t inputs, int32_t outputs, int32_t alignment) {
  int32_t taps = 1 + (int32_t)random_below(inputs < 30 ? (uint32_t)inputs : 30);
  taps = (taps + alignment - 1) / alignment * alignment;
  int32_t *starts = allocate((size_t)outputs * sizeof *starts);
  int16_t *weights = allocate((size_t)(outputs * taps) * sizeof *weights);
  const int32_t last = inputs > taps ? inputs - taps : 0;
  for (int32_t i = 0; i < outputs; i++) {
    starts[i] = (int32_t)((int64_t)last * i / outputs);
    int32_t left = 1 << nuke_weight_shift;
    const int32_t used = taps < inputs ? taps : inputs;
    // Magnitudes sum to less than two, as those of filters do.
    const int32_t lobes = (1 << nuke_weight_shift) / used + 2;
    for (int32_t k = 0; k < taps; k++) {
      const int32_t weight = k >= used ? 0 : k == used - 1 ? left : (int32_t)random_below((uint32_t)lobes) - lobes / 3;
      weights[i * taps + k] = (int16_t)weight;
      left -= weight;
    }
  }
  return (nuke_resampling_axis){.count = outputs, .taps = taps, .starts = starts, .weights = weights};
}

static nuke_resampling_axis random_copy(int32_t inputs, int32_t outputs) {
  int32_t *starts = allocate((size_t)outputs * sizeof *starts);
  int16_t *weights = allocate((size_t)outputs * sizeof *weights);
  const int32_t first = (int32_t)random_below((uint32_t)(inputs - outputs + 1));
  for (int32_t i = 0; i < outputs; i++) {
    starts[i] = first + i;
    weights[i] = 1 << nuke_weight_shift;
  }
  return (nuke_resampling_axis){.count = outputs, .taps = 1, .starts = starts, .weights = weights, .copies = true};
}

static void free_axis(nuke_resampling_axis axis) {
  free((void *)axis.starts);
  free((void *)axis.weights);
}

// Not light as it is, but tables that rise as its do, so that every entry is read.
static nuke_light_tables random_tables(void) {
  int16_t *linear = allocate(256 * sizeof *linear);
  uint16_t *encoded = allocate((nuke_light_one + 1) * sizeof *encoded);
  for (int i = 0; i < 256; i++) linear[i] = (int16_t)(i * nuke_light_one / 255);
  for (int i = 0; i <= nuke_light_one; i++) encoded[i] = (uint16_t)(65280 - random_below(2) * (uint32_t)i % 65281);
  return (nuke_light_tables){linear, encoded};
}

static void test_resampling(const nuke_kernels *scalar, const nuke_kernels *tested) {
  const nuke_light_tables tables = random_tables();
  for (int round = 0; round < 1500; round++) {
    const int32_t width = 1 + (int32_t)random_below(70), height = 1 + (int32_t)random_below(40);
    const bool copy_across = random_below(6) == 0, copy_down = random_below(6) == 0;
    const int32_t output_width = 1 + (int32_t)random_below(copy_across ? (uint32_t)width : 70);
    const int32_t output_height = 1 + (int32_t)random_below(copy_down ? (uint32_t)height : 40);
    const nuke_resampling_axis across =
      copy_across ? random_copy(width, output_width) : random_axis(width, output_width, 4);
    const nuke_resampling_axis down =
      copy_down ? random_copy(height, output_height) : random_axis(height, output_height, 1);

    // Rows wider than the image, at any offset; behind the last pixel the 12 bytes that may be read.
    const size_t offset = random_below(32), stride = (size_t)width * 4 + random_below(40);
    uint8_t *source = noise(offset + stride * (size_t)(height - 1) + (size_t)width * 4 + 12);
    const size_t output_stride = (size_t)output_width * 4 + random_below(40);
    const size_t output_bytes = output_stride * (size_t)(output_height - 1) + (size_t)output_width * 4;
    uint8_t *a = allocate(output_bytes), *b = allocate(output_bytes);
    memset(a, 0xee, output_bytes);
    memset(b, 0xee, output_bytes);
    void *scratch = allocate(nuke_resample_scratch(&across, &down));
    nuke_resample(scalar, &across, &down, source + offset, stride, a, output_stride, scratch);
    nuke_resample(tested, &across, &down, source + offset, stride, b, output_stride, scratch);
    same("resample", a, b, output_bytes);
    free(scratch);

    const bool opaque = round % 2 == 0;
    scratch = allocate(nuke_resample_linear_scratch(&across, &down));
    nuke_resample_linear(
      scalar, tables, opaque, &across, &down, source + offset, stride, a, output_stride, scratch);
    nuke_resample_linear(
      tested, tables, opaque, &across, &down, source + offset, stride, b, output_stride, scratch);
    same("resample in linear light", a, b, output_bytes);
    nuke_resample_nearest(&across, &down, source + offset, stride, a, output_stride);
    for (size_t y = 0; y < (size_t)output_height; y++) {
      for (size_t x = 0; x < (size_t)output_width; x++) {
        const uint8_t *picked = source + offset + (size_t)down.starts[y] * stride + (size_t)across.starts[x] * 4;
        same("nearest", picked, a + y * output_stride + x * 4, 4);
      }
    }
    free(scratch);
    free(a);
    free(b);
    free(source);
    free_axis(across);
    free_axis(down);
  }
  free((void *)tables.linear);
  free((void *)tables.encoded);
}

// Premultiplied pixels under matrices of any weights, also such that clamp.
static void test_color_matrix(const nuke_kernels *scalar, const nuke_kernels *tested) {
  for (int round = 0; round < 2000; round++) {
    const size_t count = random_below(90);
    int16_t matrix[12];
    for (int i = 0; i < 12; i++) matrix[i] = (int16_t)(random_below(65536) - 32768);
    if (round % 2) {
      for (int i = 0; i < 12; i++) matrix[i] /= 8;
    }
    uint8_t *source = noise(count * 4), *a = allocate(count * 4), *b = allocate(count * 4);
    scalar->premultiply(source, source, count);
    scalar->color_matrix(a, source, count, matrix);
    tested->color_matrix(b, source, count, matrix);
    same("color_matrix", a, b, count * 4);
    tested->color_matrix(source, source, count, matrix);
    same("color_matrix in place", a, source, count * 4);
    free(source);
    free(a);
    free(b);
  }
}

// Random colors, most of them outside of 0...1 as they are between the steps of a chain.
static float random_float(void) { return (float)random_below(4001) / 1000 - 1.5f; }

static void same_planes(const char *what, const float *expected, const float *found) {
  same(what, (const uint8_t *)expected, (const uint8_t *)found, sizeof(float) * nuke_block * 4);
}

static void test_planes(const nuke_kernels *scalar, const nuke_kernels *tested) {
  const nuke_plane_kernels *x = scalar->planes, *y = tested->planes;
  float a[nuke_block * 4], b[nuke_block * 4], k[30], *tables = allocate(sizeof(float) * nuke_curve_entries * 3);
  for (int round = 0; round < 400; round++) {
    const size_t count = random_below(nuke_block + 1);
    uint8_t *source = noise(count * 4), *p = allocate(count * 4), *q = allocate(count * 4);
    scalar->premultiply(source, source, count);
    x->load(a, source, count);
    y->load(b, source, count);
    same_planes("load", a, b);
    x->store(p, a, count);
    same("what is loaded and stored", source, p, count * 4);
    for (int i = 0; i < nuke_block * 4; i++) a[i] = b[i] = random_float();
    x->store(p, a, count);
    y->store(q, b, count);
    same("store", p, q, count * 4);
    for (int i = 0; i < 30; i++) k[i] = random_float();
    x->matrix(a, k);
    y->matrix(b, k);
    same_planes("matrix", a, b);
    x->vibrance(a, k[0]);
    y->vibrance(b, k[0]);
    same_planes("vibrance", a, b);
    x->cross_polynomial(a, k);
    y->cross_polynomial(b, k);
    same_planes("cross_polynomial", a, b);
    const nuke_vignette vignette = {k[1] * 50, k[2] * 50, k[3] * 20, k[4] * 90, k[5], round % 2 == 0};
    x->vignette(a, &vignette, k[6] * 90, k[7] * 90);
    y->vignette(b, &vignette, k[6] * 90, k[7] * 90);
    same_planes("vignette", a, b);
    x->clamp(a, k, k + 4);
    y->clamp(b, k, k + 4);
    same_planes("clamp", a, b);
    for (int i = 0; i < nuke_curve_entries * 3; i++) tables[i] = random_float();
    x->curves(a, tables);
    y->curves(b, tables);
    same_planes("curves", a, b);
    x->polynomial(a, k);
    y->polynomial(b, k);
    same_planes("polynomial", a, b);
    x->component(a, round % 2 == 0);
    y->component(b, round % 2 == 0);
    same_planes("component", a, b);
    const size_t side = 2 + random_below(4);
    x->cube(a, tables, side);
    y->cube(b, tables, side);
    same_planes("cube", a, b);
    free(source);
    free(p);
    free(q);
  }
  for (int levels = 1; levels < 40; levels++) {
    for (int i = 0; i < nuke_block * 4; i++) a[i] = b[i] = random_float();
    x->posterize(a, (float)levels);
    y->posterize(b, (float)levels);
    same_planes("posterize", a, b);
    x->threshold(a, 0.5f);
    y->threshold(b, 0.5f);
    same_planes("threshold", a, b);
  }
  free(tables);
}

// Coefficients as they are, and as only a damaged file has them; blocks without detail, or with some in one row only.
static void test_jpeg(const nuke_kernels *scalar, const nuke_kernels *tested) {
  const nuke_jpeg_kernels *x = scalar->jpeg, *y = tested->jpeg;
  const struct {
    const char *name;
    nuke_jpeg_inverse_dct expected, tested;
    size_t size;
  } transforms[] = {
    {"inverse_dct8", x->inverse_dct8, y->inverse_dct8, 8},
    {"inverse_dct4", x->inverse_dct4, y->inverse_dct4, 4},
    {"inverse_dct2", x->inverse_dct2, y->inverse_dct2, 2},
  };
  for (int round = 0; round < 4000; round++) {
    const size_t count = 1 + random_below(9);
    int16_t *blocks = allocate(count * 128);
    const uint32_t range = 1u << (1 + random_below(16)), largest_step = 1u << random_below(9);
    uint16_t steps[64];
    for (int i = 0; i < 64; i++) steps[i] = (uint16_t)random_below(largest_step + 1);
    for (size_t block = 0; block < count; block++) {
      const uint32_t detail = 1 + random_below(random_below(2) ? 64 : 9), density = 1 + random_below(8);
      for (uint32_t i = 0; i < 64; i++) {
        const bool is_zero = i >= detail || (i > 0 && random_below(density) > 0);
        blocks[block * 64 + i] = is_zero ? 0 : (int16_t)(random_below(range) - range / 2);
      }
    }
    for (size_t i = 0; i < sizeof transforms / sizeof *transforms; i++) {
      const size_t size = transforms[i].size, bytes = count * size * size;
      uint8_t *a = allocate(bytes), *b = allocate(bytes);
      transforms[i].expected(a, count * size, blocks, count, steps);
      transforms[i].tested(b, count * size, blocks, count, steps);
      same(transforms[i].name, a, b, bytes);
      free(a);
      free(b);
    }
    const size_t firsts = count * 64;
    uint8_t *a = allocate(firsts), *b = allocate(firsts);
    x->inverse_dct1(a, blocks, firsts, steps[0]);
    y->inverse_dct1(b, blocks, firsts, steps[0]);
    same("inverse_dct1", a, b, firsts);
    free(a);
    free(b);
    free(blocks);
  }
  for (size_t count = 2; count < 140; count++) {
    uint8_t *near = noise(count), *far = noise(count), *other = noise(count);
    uint8_t *a = allocate(count * 4), *b = allocate(count * 4);
    x->double_across(a, near, count);
    y->double_across(b, near, count);
    same("double_across", a, b, count * 2);
    x->double_both(a, near, far, count);
    y->double_both(b, near, far, count);
    same("double_both", a, b, count * 2);
    for (unsigned bias = 1; bias <= 2; bias++) {
      x->double_down(a, near, far, count, bias);
      y->double_down(b, near, far, count, bias);
      same("double_down", a, b, count);
    }
    x->ycc_to_rgba(a, near, far, other, count);
    y->ycc_to_rgba(b, near, far, other, count);
    same("ycc_to_rgba", a, b, count * 4);
    free(near);
    free(far);
    free(other);
    free(a);
    free(b);
  }
  // Every pair of colors under three brightnesses.
  uint8_t *l = allocate(65536), *cb = allocate(65536), *cr = allocate(65536);
  uint8_t *a = allocate(65536 * 4), *b = allocate(65536 * 4);
  for (int brightness = 0; brightness < 256; brightness += 127) {
    for (unsigned i = 0; i < 65536; i++) {
      l[i] = (uint8_t)brightness;
      cb[i] = (uint8_t)i;
      cr[i] = (uint8_t)(i >> 8);
    }
    x->ycc_to_rgba(a, l, cb, cr, 65536);
    y->ycc_to_rgba(b, l, cb, cr, 65536);
    same("ycc_to_rgba of every pair", a, b, 65536 * 4);
  }
  free(l);
  free(cb);
  free(cr);
  free(a);
  free(b);
}

// Places in and around an image, on pixels and between them, and such as no image has.
static void test_sample(const nuke_neighbor_kernels *x, const nuke_neighbor_kernels *y) {
  static const float far[] = {1e30f, -1e30f, 1.0f / 0.0f, -1.0f / 0.0f, 0.0f / 0.0f, -0.5f, 0.5f};
  for (int round = 0; round < 300; round++) {
    const int32_t width = 1 + (int32_t)random_below(30), height = 1 + (int32_t)random_below(30);
    const size_t count = random_below(90), pixels = (size_t)(width * height);
    uint8_t *source = noise(pixels * 4), *a = allocate(count * 4), *b = allocate(count * 4);
    nuke_kernels_for(nuke_kernel_variant_scalar)->premultiply(source, source, pixels);
    float *u = allocate(count * sizeof *u), *v = allocate(count * sizeof *v);
    for (size_t i = 0; i < count; i++) {
      u[i] = (float)random_below((uint32_t)(width + 4) * 8) / 8 - 2;
      v[i] = (float)random_below((uint32_t)(height + 4) * 1000) / 1000 - 2;
      if (random_below(9) == 0) u[i] = far[random_below(7)];
      if (random_below(9) == 0) v[i] = far[random_below(7)];
    }
    const nuke_sampled_image image = {source, width, height, round % 2 == 0};
    x->sample(a, &image, u, v, count);
    y->sample(b, &image, u, v, count);
    same("sample", a, b, count * 4);
    for (size_t i = 0; i < count; i++) {
      for (size_t c = 0; c < 3; c++) same_flag("sample within alpha", true, a[i * 4 + c] <= a[i * 4 + 3]);
    }
    free(source);
    free(a);
    free(b);
    free(u);
    free(v);
  }
}

static void test_neighbors(const nuke_kernels *scalar, const nuke_kernels *tested) {
  const nuke_neighbor_kernels *x = scalar->neighbors, *y = tested->neighbors;
  test_sample(x, y);
  for (int round = 0; round < 600; round++) {
    const size_t count = random_below(90), bytes = count * 4, margin = 8;
    const uint8_t *rows[20];
    uint8_t *memory[20], *a = allocate(bytes), *b = allocate(bytes);
    float weights[20];
    for (int k = 0; k < 20; k++) {
      memory[k] = noise(bytes + margin);
      rows[k] = memory[k] + margin / 2;
      weights[k] = random_float() / (round % 2 ? 1 : 10);
    }
    const size_t taps = random_below(21);
    const float bias = random_float() * 90;
    x->weigh(a, rows, weights, taps, bias, bytes);
    y->weigh(b, rows, weights, taps, bias, bytes);
    same("weigh", a, b, bytes);
    x->median(a, rows, bytes);
    y->median(b, rows, bytes);
    same("median", a, b, bytes);
    x->larger(a, rows[0], rows[1], bytes);
    y->larger(b, rows[0], rows[1], bytes);
    same("larger", a, b, bytes);
    x->smaller(a, rows[0], rows[1], bytes);
    y->smaller(b, rows[0], rows[1], bytes);
    same("smaller", a, b, bytes);
    uint32_t *p = allocate((count + 1) * 16), *q = allocate((count + 1) * 16);
    uint32_t *sums = allocate(bytes * 4), *others = allocate(bytes * 4);
    memset(sums, 0, bytes * 4);
    memset(others, 0, bytes * 4);
    x->accumulate(p, rows[2], count);
    y->accumulate(q, rows[2], count);
    same("accumulate", (uint8_t *)p, (uint8_t *)q, (count + 1) * 16);
    for (int k = 0; k < 3; k++) {
      x->add(sums, rows[k], bytes);
      y->add(others, rows[k], bytes);
    }
    x->add_span(sums, p + 4, p, bytes);
    y->add_span(others, q + 4, q, bytes);
    same("add", (uint8_t *)sums, (uint8_t *)others, bytes * 4);
    x->mean(a, sums, 0.25f, bytes);
    y->mean(b, others, 0.25f, bytes);
    same("mean", a, b, bytes);
    for (size_t i = 0; i < bytes; i++) {
      const int sum = rows[0][i] + rows[1][i] + rows[2][i] * 2;
      same_flag("mean of four", true, a[i] == (sum + 2) / 4);
    }
    for (int k = 0; k < 20; k++) free(memory[k]);
    free(a);
    free(b);
    free(p);
    free(q);
    free(sums);
    free(others);
  }
}

// Stored rows of every width, filter and number of channels; of one filter, so that rows are done together, and of any.
static void test_unfilter(const nuke_kernels *scalar, const nuke_kernels *tested) {
  const nuke_unfilter_kernels *x = nuke_unfilter_kernels_for(scalar), *y = nuke_unfilter_kernels_for(tested);
  for (int round = 0; round < 4000; round++) {
    const int channels = 1 + round % 4;
    const size_t width = 1 + random_below(40), count = 1 + random_below(20), stride = width * (size_t)channels + 1;
    const uint32_t filter = random_below(7);
    uint8_t *stored = noise(stride * count + nuke_unfilter_padding), *above = allocate(width * 4);
    stored[0] = 0;
    x->rows(above, above, stored, width, 1, channels);
    uint8_t *a = allocate(width * count * 4), *b = allocate(width * count * 4);
    for (size_t i = 0; i < count; i++) stored[i * stride] = (uint8_t)(filter < 5 ? filter : random_below(5));
    same_flag("known filters", true, x->rows(a, above, stored, width, count, channels));
    same_flag("known filters", true, y->rows(b, above, stored, width, count, channels));
    same("unfilter", a, b, width * count * 4);
    stored[random_below((uint32_t)count) * stride] = (uint8_t)(5 + random_below(251));
    same_flag("an unknown filter", false, x->rows(a, above, stored, width, count, channels));
    same_flag("an unknown filter", false, y->rows(b, above, stored, width, count, channels));
    free(stored);
    free(above);
    free(a);
    free(b);
  }
}

// PNG specification, 9.2: the prediction of a byte from the one to the left, the one above, and the one above that to
// the left.
static int predicted(int filter, int left, int up, int corner) {
  const int sum = left + up - corner;
  const int from_left = abs(sum - left), from_up = abs(sum - up), from_corner = abs(sum - corner);
  const int nearest = from_left <= from_up && from_left <= from_corner ? left : from_up <= from_corner ? up : corner;
  const int predictions[5] = {0, left, up, (left + up) / 2, nearest};
  return predictions[filter];
}

// Rows of bytes, and of pixels of several bytes.
static void test_unfilter_bytes(const nuke_kernels *scalar, const nuke_kernels *tested) {
  static const size_t steps[5] = {1, 2, 4, 6, 8};
  const nuke_unfilter_kernels *x = nuke_unfilter_kernels_for(scalar), *y = nuke_unfilter_kernels_for(tested);
  for (int round = 0; round < 8000; round++) {
    const int filter = round % 5;
    const size_t step = steps[random_below(5)], count = step * (1 + random_below(round % 20 ? 90 : 2000));
    const size_t room = count + nuke_unfilter_padding;
    uint8_t *stored = noise(room + 1), *above = noise(room);
    uint8_t *expected = allocate(count), *a = allocate(room), *b = allocate(room);
    for (size_t i = 0; i < count; i++) {
      const int left = i < step ? 0 : expected[i - step], corner = i < step ? 0 : above[i - step];
      expected[i] = (uint8_t)(stored[i + 1] + predicted(filter, left, above[i], corner));
    }
    stored[0] = (uint8_t)filter;
    same_flag("known filters", true, x->bytes(a, above, stored, count, step));
    same_flag("known filters", true, y->bytes(b, above, stored, count, step));
    same("unfilter bytes", expected, a, count);
    same("unfilter bytes", expected, b, count);
    stored[0] = (uint8_t)(5 + random_below(251));
    same_flag("an unknown filter", false, x->bytes(a, above, stored, count, step));
    same_flag("an unknown filter", false, y->bytes(b, above, stored, count, step));
    free(stored);
    free(above);
    free(expected);
    free(a);
    free(b);
  }
}

// All samples of 16 bits, in rows of every length and number of channels.
static void test_narrow(const nuke_kernels *scalar, const nuke_kernels *tested) {
  const nuke_unfilter_kernels *x = nuke_unfilter_kernels_for(scalar), *y = nuke_unfilter_kernels_for(tested);
  uint32_t sample = 0;
  for (int round = 0; sample <= 65535; round++) {
    const int channels = 1 + round % 4, places[4] = {0, channels == 2 ? 3 : 1, 2, 3};
    const size_t width = 1 + random_below(70);
    uint8_t *row = noise(width * (size_t)channels * 2 + nuke_unfilter_padding);
    uint8_t *expected = allocate(width * 4), *a = allocate(width * 4), *b = allocate(width * 4);
    for (size_t i = 0; i < width; i++) {
      expected[i * 4 + 3] = 255;
      for (int k = 0; k < channels; k++, sample++) {
        uint8_t *stored = row + (i * (size_t)channels + (size_t)k) * 2;
        stored[0] = (uint8_t)(sample >> 8);
        stored[1] = (uint8_t)sample;
        expected[i * 4 + (size_t)places[k]] = (uint8_t)(((sample & 65535) * 255 + 32767) / 65535);
      }
      if (channels <= 2) expected[i * 4 + 1] = expected[i * 4 + 2] = expected[i * 4];
    }
    x->narrow(a, row, width, channels);
    y->narrow(b, row, width, channels);
    same("narrow", expected, a, width * 4);
    same("narrow", expected, b, width * 4);
    free(row);
    free(expected);
    free(a);
    free(b);
  }
}

// Checksums as zlib's definition has them, also of bytes that make the sums as large as they get.
static void test_adler(const nuke_kernels *scalar, const nuke_kernels *tested) {
  const nuke_unfilter_kernels *x = nuke_unfilter_kernels_for(scalar), *y = nuke_unfilter_kernels_for(tested);
  for (int round = 0; round < 400; round++) {
    const size_t count = random_below(round % 2 ? 40 : 20000);
    uint8_t *bytes = noise(count);
    if (round % 3 == 0) memset(bytes, 255, count);
    uint32_t low = random_below(65521), high = random_below(65521);
    const uint32_t start = high << 16 | low;
    for (size_t i = 0; i < count; i++) {
      low = (low + bytes[i]) % 65521;
      high = (high + low) % 65521;
    }
    const uint32_t expected = high << 16 | low, a = x->adler(start, bytes, count), b = y->adler(start, bytes, count);
    same("adler", (const uint8_t *)&expected, (const uint8_t *)&a, 4);
    same("adler", (const uint8_t *)&expected, (const uint8_t *)&b, 4);
    free(bytes);
  }
}

// Rows of every length, pixel and filter; among them rows close to the one above, as those of images are.
static void test_filter(const nuke_kernels *scalar, const nuke_kernels *tested) {
  const nuke_filter_kernels *x = nuke_filter_kernels_for(scalar), *y = nuke_filter_kernels_for(tested);
  for (int round = 0; round < 4000; round++) {
    const size_t step = 1 + random_below(8), count = random_below(round % 20 ? 120 : 5000);
    const uint32_t range = round % 2 ? 256 : 3;
    uint8_t *above = noise(step + count), *row = noise(step + count);
    for (size_t i = step; i < step + count; i++) {
      if (range < 256) row[i] = (uint8_t)(above[i] + random_below(range));
    }
    memset(above, 0, step);
    memset(row, 0, step);
    uint64_t a[nuke_filter_count], b[nuke_filter_count];
    x->costs(a, row + step, above + step, count, step);
    y->costs(b, row + step, above + step, count, step);
    same("costs of filters", (const uint8_t *)a, (const uint8_t *)b, sizeof a);
    uint8_t *p = allocate(count), *q = allocate(count);
    for (int filter = 0; filter < nuke_filter_count; filter++) {
      x->apply(p, row + step, above + step, count, step, filter);
      y->apply(q, row + step, above + step, count, step, filter);
      same("filter", p, q, count);
      uint64_t cost = 0;
      for (size_t i = 0; i < count; i++) cost += p[i] < 128 ? p[i] : 256u - p[i];
      same("cost of a filter", (const uint8_t *)&cost, (const uint8_t *)&a[filter], sizeof cost);
    }
    free(above);
    free(row);
    free(p);
    free(q);
  }
}

// Rows that are filtered and unfiltered are the rows they were.
static void test_filter_round_trip(const nuke_kernels *tested) {
  const nuke_filter_kernels *filters = nuke_filter_kernels_for(tested);
  const nuke_unfilter_kernels *unfilters = nuke_unfilter_kernels_for(tested);
  for (int round = 0; round < 500; round++) {
    const size_t width = 1 + random_below(60), bytes = width * 4;
    uint8_t *rows = noise(4 + bytes), *above = noise(4 + bytes);
    memset(rows, 0, 4);
    memset(above, 0, 4);
    uint8_t *stored = allocate(bytes + 1 + nuke_unfilter_padding), *pixels = allocate(bytes);
    stored[0] = (uint8_t)(round % nuke_filter_count);
    filters->apply(stored + 1, rows + 4, above + 4, bytes, 4, stored[0]);
    same_flag("known filters", true, unfilters->rows(pixels, above + 4, stored, width, 1, 4));
    same("filter and unfilter", rows + 4, pixels, bytes);
    free(rows);
    free(above);
    free(stored);
    free(pixels);
  }
}

int main(void) {
  static const char *const names[] = {"scalar", "sse4.1", "avx2", "neon", "avx512"};
  const nuke_kernels *scalar = nuke_kernels_for(nuke_kernel_variant_scalar);
  unsigned tested = 0;
  for (int variant = nuke_kernel_variant_sse41; variant <= nuke_kernel_variant_avx512; variant++) {
    const nuke_kernels *kernels = nuke_kernels_for((nuke_kernel_variant)variant);
    if (!kernels) continue;
    comparisons = 0;
    test_pixels(scalar, kernels);
    test_resampling(scalar, kernels);
    test_color_matrix(scalar, kernels);
    test_planes(scalar, kernels);
    test_jpeg(scalar, kernels);
    test_neighbors(scalar, kernels);
    test_unfilter(scalar, kernels);
    test_unfilter_bytes(scalar, kernels);
    test_narrow(scalar, kernels);
    test_adler(scalar, kernels);
    test_filter(scalar, kernels);
    test_filter_round_trip(kernels);
    printf("%s gives the same bytes as scalar in %" PRIu64 " comparisons\n", names[variant], comparisons);
    tested++;
  }
  printf("best: %s\n", names[nuke_kernels_best()->variant]);
  if (tested == 0) {
    printf("FAILED: this processor runs the scalar variant only\n");
    return 1;
  }
  return 0;
}
