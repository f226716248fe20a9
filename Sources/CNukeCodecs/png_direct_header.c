#include "png_direct.h"

static uint32_t big_endian(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

bool nuke_png_next_chunk(struct nuke_png_input *input, struct nuke_png_chunk *chunk) {
  const size_t left = input->count - input->position;
  if (left < 12) return false;
  const uint8_t *start = input->data + input->position;
  const uint32_t count = big_endian(start);
  if (count > INT32_MAX || count > left - 12) return false;
  *chunk = (struct nuke_png_chunk){.type = start + 4, .bytes = start + 8, .count = count};
  if (nuke_png_crc(chunk->type, (size_t)count + 4) != big_endian(chunk->bytes + count)) return false;
  input->position += (size_t)count + 12;
  return true;
}

// Returns whether libpng, as configured here, ignores the chunk.
static bool is_ignored(const struct nuke_png_chunk *chunk) {
  for (int i = 0; i < 4; i++) {
    const uint8_t letter = chunk->type[i] & ~0x20;
    if (letter < 'A' || letter > 'Z') return false;
  }
  return (chunk->type[0] & 0x20) != 0 && !nuke_png_is(chunk, "tRNS");
}

// Reads the palette of `count` entries. The others are black.
static bool read_palette(struct nuke_png_form *form, const struct nuke_png_chunk *chunk, size_t *count) {
  *count = chunk->count / 3;
  if (chunk->count % 3 != 0 || *count == 0 || *count > (size_t)1 << form->bits) return false;
  for (size_t i = 0; i < *count; i++) memcpy(form->colors[i], chunk->bytes + i * 3, 3);
  return true;
}

// Reads the transparency (PNG specification, 11.3.2.1), given the size of the palette.
static bool read_transparency(
  struct nuke_png_form *form, const struct nuke_png_chunk *chunk, uint8_t color_type, size_t palette_count) {
  if (form->is_deep) {
    if ((color_type != 0 && color_type != 2) || chunk->count != (size_t)form->channels * 2) return false;
    memcpy(form->deep_key, chunk->bytes, chunk->count);
    form->has_deep_key = true;
    return true;
  }
  switch (color_type) {
  case 0:
    if (chunk->count != 2) return false;
    // Bits beyond the sample's depth are ignored.
    form->colors[chunk->bytes[1] & ((1 << form->bits) - 1)][3] = 0;
    // Grays of 8 bits need the lookup table only in this case.
    form->channels = 0;
    return true;
  case 2:
    if (chunk->count != 6) return false;
    for (int k = 0; k < 3; k++) form->key[k] = form->cleared[k] = chunk->bytes[k * 2 + 1];
    form->key[3] = 255;
    return true;
  case 3:
    if (chunk->count == 0 || chunk->count > palette_count) return false;
    for (size_t i = 0; i < chunk->count; i++) form->colors[i][3] = chunk->bytes[i];
    return true;
  default:
    return false;
  }
}

// Sets the pixel format from the values of the header. Returns false if it is left to libpng.
static bool set_form(struct nuke_png_form *form, uint8_t bit_depth, uint8_t color_type) {
  static const int channels[7] = {1, 0, 3, 1, 2, 0, 4};
  if (color_type > 6 || channels[color_type] == 0) return false;
  const bool is_looked_up = color_type == 3 || (color_type == 0 && bit_depth < 8);
  form->is_deep = bit_depth == 16 && color_type != 3;
  const bool is_small = is_looked_up && (bit_depth == 1 || bit_depth == 2 || bit_depth == 4);
  if (bit_depth != 8 && !is_small && !form->is_deep) return false;
  form->bits = bit_depth * channels[color_type];
  form->channels = is_looked_up ? 0 : channels[color_type];
  if (form->is_deep) return true;
  for (int i = 0; i < 256; i++) {
    const int gray = color_type == 0 ? i * 255 / ((1 << bit_depth) - 1) : 0;
    memset(form->colors[i], gray, 3);
    form->colors[i][3] = 255;
  }
  return true;
}

bool nuke_png_read_form(
  struct nuke_png_input *input, uint32_t width, uint32_t height, struct nuke_png_form *form, bool *is_interlaced) {
  static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  if (input->count < 8 || memcmp(input->data, signature, 8) != 0) return false;
  input->position = 8;
  struct nuke_png_chunk chunk;
  if (!nuke_png_next_chunk(input, &chunk) || !nuke_png_is(&chunk, "IHDR") || chunk.count != 13) return false;
  const uint8_t *fields = chunk.bytes;
  if (big_endian(fields) != width || big_endian(fields + 4) != height) return false;
  const uint8_t color_type = fields[9];
  if (fields[10] != 0 || fields[11] != 0 || fields[12] > 1) return false;
  if (!set_form(form, fields[8], color_type)) return false;
  *is_interlaced = fields[12] == 1;
  size_t palette_count = 0;
  bool is_transparent = false;
  while (true) {
    const size_t start = input->position;
    if (!nuke_png_next_chunk(input, &chunk)) return false;
    if (nuke_png_is(&chunk, "IDAT")) {
      input->position = start;
      return color_type != 3 || palette_count > 0;
    }
    if (nuke_png_is(&chunk, "PLTE") && color_type == 3 && palette_count == 0) {
      if (!read_palette(form, &chunk, &palette_count)) return false;
    } else if (nuke_png_is(&chunk, "tRNS") && !is_transparent) {
      if (!read_transparency(form, &chunk, color_type, palette_count)) return false;
      is_transparent = true;
    } else if (!is_ignored(&chunk)) {
      return false;
    }
  }
}
