#include "png_direct.h"

// MARK: - Passes

int nuke_png_passes(struct nuke_png_pass passes[7], uint32_t width, uint32_t height, bool is_interlaced) {
  static const struct nuke_png_pass adam7[7] = {
    {.x = 0, .y = 0, .dx = 8, .dy = 8}, {.x = 4, .y = 0, .dx = 8, .dy = 8}, {.x = 0, .y = 4, .dx = 4, .dy = 8},
    {.x = 2, .y = 0, .dx = 4, .dy = 4}, {.x = 0, .y = 2, .dx = 2, .dy = 4}, {.x = 1, .y = 0, .dx = 2, .dy = 2},
    {.x = 0, .y = 1, .dx = 1, .dy = 2},
  };
  if (!is_interlaced) {
    passes[0] = (struct nuke_png_pass){.width = width, .height = height, .dx = 1, .dy = 1};
    return 1;
  }
  int count = 0;
  for (int i = 0; i < 7; i++) {
    struct nuke_png_pass pass = adam7[i];
    if (width <= pass.x || height <= pass.y) continue;
    pass.width = (width - pass.x - 1) / pass.dx + 1;
    pass.height = (height - pass.y - 1) / pass.dy + 1;
    passes[count++] = pass;
  }
  return count;
}

uint32_t nuke_png_band_rows(uint32_t width) {
  const uint32_t batch = (uint32_t)(65536 / ((size_t)width * 4));
  return batch < 8 ? 8 : batch / 8 * 8;
}

// MARK: - Lookup

void nuke_png_prepare_lookup(struct nuke_png_form *form) {
  if (form->channels > 0 || form->bits >= 8) return;
  const int per_byte = 8 / form->bits, mask = (1 << form->bits) - 1;
  uint8_t *pixel = form->pixels;
  for (int byte = 0; byte < 256; byte++) {
    // The leftmost pixel is in the most significant bits.
    for (int i = 1; i <= per_byte; i++, pixel += 4) memcpy(pixel, form->colors[byte >> (8 - form->bits * i) & mask], 4);
  }
}

static inline __attribute__((always_inline)) void look_up_bytes(
  uint8_t *pixels, const uint8_t *row, size_t width, const uint8_t *table, size_t per_byte) {
  const size_t whole = width / per_byte, size = per_byte * 4;
  for (size_t i = 0; i < whole; i++) memcpy(pixels + i * size, table + row[i] * size, size);
  if (width % per_byte > 0) memcpy(pixels + whole * size, table + row[whole] * size, width % per_byte * 4);
}

// Converts the pixels of one row with the lookup table.
static void look_up(uint8_t *pixels, const uint8_t *row, size_t width, const struct nuke_png_form *form) {
  // With a constant bit depth, the compiler generates a separate loop for each.
  switch (form->bits) {
  case 1:
    return look_up_bytes(pixels, row, width, form->pixels, 8);
  case 2:
    return look_up_bytes(pixels, row, width, form->pixels, 4);
  case 4:
    return look_up_bytes(pixels, row, width, form->pixels, 2);
  default:
    return look_up_bytes(pixels, row, width, form->colors[0], 1);
  }
}

// MARK: - Rows

static void clear_key(uint8_t *pixels, size_t count, const struct nuke_png_form *form) {
  uint32_t key, cleared;
  memcpy(&key, form->key, 4);
  memcpy(&cleared, form->cleared, 4);
  if (key == cleared) return;
  for (size_t i = 0; i < count; i++) {
    uint32_t pixel;
    memcpy(&pixel, pixels + i * 4, 4);
    if (pixel == key) pixel = cleared;
    memcpy(pixels + i * 4, &pixel, 4);
  }
}

// Clears the alpha of the transparent color, which is compared at its full depth.
static void clear_deep_key(uint8_t *pixels, const uint8_t *row, size_t width, const struct nuke_png_form *form) {
  if (!form->has_deep_key) return;
  const size_t step = (size_t)form->channels * 2;
  for (size_t x = 0; x < width; x++) {
    if (memcmp(row + x * step, form->deep_key, step) == 0) pixels[x * 4 + 3] = 0;
  }
}

static inline __attribute__((always_inline)) void scatter_row(
  uint8_t *output, const uint8_t *pixels, size_t width, size_t dx) {
  for (size_t i = 0; i < width; i++) memcpy(output + i * dx * 4, pixels + i * 4, 4);
}

// Writes rows of a pass to their places in the image.
static void scatter(
  const struct nuke_png_target *target, const struct nuke_png_pass *pass, uint32_t y, uint32_t count) {
  const size_t stride = (size_t)target->width * 4;
  for (uint32_t i = 0; i < count; i++) {
    const uint8_t *pixels = target->scratch + (size_t)i * pass->width * 4;
    uint8_t *output = target->pixels + ((size_t)(y + i) * pass->dy + pass->y) * stride + (size_t)pass->x * 4;
    switch (pass->dx) {
    case 1:
      memcpy(output, pixels, (size_t)pass->width * 4);
      break;
    case 2:
      scatter_row(output, pixels, pass->width, 2);
      break;
    default:
      scatter_row(output, pixels, pass->width, pass->dx);
    }
  }
}

void nuke_png_begin_pass(struct nuke_png_target *target) { memset(target->above, 0, target->above_bytes); }

bool nuke_png_make_pixels(struct nuke_png_target *target, const struct nuke_png_form *form,
                          const struct nuke_png_pass *pass, const uint8_t *rows, uint32_t y, uint32_t count) {
  const size_t bytes = (size_t)pass->width * 4;
  uint8_t *output = target->scratch ? target->scratch : target->pixels + (target->is_band ? 0 : y * bytes);
  if (form->channels > 0 && !form->is_deep) {
    if (!target->kernels->rows(output, target->above, rows, pass->width, count, form->channels)) return false;
    // The next row is predicted from the row before its colors are changed.
    memcpy(target->above, output + (count - 1) * bytes, bytes);
    clear_key(output, (size_t)pass->width * count, form);
  } else {
    const size_t stride = nuke_png_stride(form, pass->width), step = form->is_deep ? (size_t)form->bits / 8 : 1;
    uint8_t *lines[2] = {target->above, target->above + nuke_png_line(form, pass->width)};
    for (uint32_t i = 0; i < count; i++) {
      const uint8_t *above = lines[target->line];
      target->line = 1 - target->line;
      uint8_t *line = lines[target->line], *pixels = output + i * bytes;
      if (!target->kernels->bytes(line, above, rows + i * stride, stride - 1, step)) return false;
      if (form->is_deep) {
        target->kernels->narrow(pixels, line, pass->width, form->channels);
        clear_deep_key(pixels, line, pass->width, form);
      } else {
        look_up(pixels, line, pass->width, form);
      }
    }
  }
  if (target->scratch) scatter(target, pass, y, count);
  return true;
}
