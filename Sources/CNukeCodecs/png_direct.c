// Decodes common kinds of PNG without libpng, several times as fast: the inflater decodes several bytes per look-up,
// and several rows are unfiltered together, directly into the pixels.
//
// Only valid and common files are decoded. For all others the status says so, and libpng decodes them from the
// beginning. The accepted files and the pixels are therefore the same as with libpng.
#include "png_direct.h"

#include <stdlib.h>

enum {
  // The minimum number of inflated bytes before rows are unfiltered.
  inflated_bytes = 131072,
  // Rows with more bytes or pixels are left to libpng.
  longest_row = 1 << 20,
};

struct direct {
  struct nuke_png_input input;
  struct nuke_png_form form;
  struct nuke_png_pass passes[7];
  int pass_count;
  struct nuke_png_target target;
  nuke_png_colors convert;
  nuke_png_rows report;
  void *context;

  nuke_inflate *inflate;
  // The inflated data: the bytes that matches may refer to, including rows that are not unfiltered yet.
  uint8_t *window;
  size_t window_size;
  // The current pass and its next row, and the number of rows of the image that were reported.
  int pass;
  uint32_t y, reported;
};

// Returns the next piece of the compressed rows.
static bool next_image_data(void *context, const uint8_t **bytes, size_t *count) {
  struct direct *direct = context;
  struct nuke_png_chunk chunk;
  do {
    if (!nuke_png_next_chunk(&direct->input, &chunk) || !nuke_png_is(&chunk, "IDAT")) return false;
  } while (chunk.count == 0);
  *bytes = chunk.bytes;
  *count = chunk.count;
  return true;
}

// Reads the zlib header (RFC 1950, 2.2): DEFLATE, a window of at most 32 KB, no dictionary.
static bool read_stream_header(struct direct *direct) {
  const int method = nuke_inflate_byte(direct->inflate), flags = nuke_inflate_byte(direct->inflate);
  return method >= 0 && flags >= 0 && (method & 15) == 8 && method >> 4 <= 7 && (method << 8 | flags) % 31 == 0 &&
         (flags & 0x20) == 0;
}

// Returns whether the rows are followed by their checksum and the end of the image data.
static bool ends_rightly(struct direct *direct, uint32_t adler) {
  uint32_t stored = 0;
  for (int i = 0; i < 4; i++) {
    const int byte = nuke_inflate_byte(direct->inflate);
    if (byte < 0) return false;
    stored = stored << 8 | (uint32_t)byte;
  }
  return stored == adler && nuke_inflate_is_at_end_of_piece(direct->inflate);
}

// MARK: - Rows

// Reports the complete rows after `count` rows of the pass.
static bool report(struct direct *direct, const struct nuke_png_pass *pass, uint32_t count) {
  const bool is_last = direct->pass + 1 == direct->pass_count;
  // Each pass writes pixels near every row, so rows are complete only in the last pass.
  const uint32_t complete = !is_last ? 0 : count == pass->height ? direct->target.height : count * pass->dy;
  const uint32_t first = direct->reported;
  if (is_last) direct->reported = complete;
  return direct->report == NULL || direct->report(direct->context, first, complete > first ? complete - first : 0);
}

// Converts complete rows to pixels and advances `*rows`.
static nuke_png_direct_status take_rows(struct direct *direct, const uint8_t **rows, const uint8_t *end) {
  bool is_first = true;
  while (direct->pass < direct->pass_count) {
    const struct nuke_png_pass *pass = &direct->passes[direct->pass];
    const size_t stride = nuke_png_stride(&direct->form, pass->width);
    const uint32_t left = pass->height - direct->y, batch = nuke_png_band_rows(pass->width);
    const size_t complete = (size_t)(end - *rows) / stride;
    uint32_t count = left < batch ? left : batch;
    if (complete < count) count = (uint32_t)complete;
    // Eight rows are unfiltered together. Within a pass, the rest waits for more data.
    if (count == 0 || (count % 8 != 0 && count < left && !is_first)) break;
    is_first = false;
    if (direct->y == 0) nuke_png_begin_pass(&direct->target);
    if (!nuke_png_make_pixels(&direct->target, &direct->form, pass, *rows, direct->y, count)) {
      return NUKE_PNG_DIRECT_UNUSUAL;
    }
    *rows += stride * count;
    direct->y += count;
    if (!report(direct, pass, direct->y)) return NUKE_PNG_DIRECT_STOPPED;
    if (direct->y == pass->height) {
      direct->pass++;
      direct->y = 0;
    }
  }
  return NUKE_PNG_DIRECT_OK;
}

static nuke_png_direct_status decode_rows(struct direct *direct, uint64_t left) {
  const nuke_unfilter_kernels *kernels = direct->target.kernels;
  uint8_t *const window_end = direct->window + direct->window_size;
  uint8_t *output = direct->window;
  const uint8_t *rows = direct->window;
  uint32_t adler = 1;
  if (!read_stream_header(direct)) return NUKE_PNG_DIRECT_UNUSUAL;
  while (left > 0) {
    const size_t room = (size_t)(window_end - rows);
    const uint8_t *start = output;
    const nuke_inflate_result result =
      nuke_inflate_run(direct->inflate, direct->window, &output, left < room ? rows + left : window_end);
    if (result == nuke_inflate_failed) return NUKE_PNG_DIRECT_UNUSUAL;
    adler = kernels->adler(adler, start, (size_t)(output - start));
    const size_t inflated = (size_t)(output - rows);
    if (inflated > left || (result == nuke_inflate_done && inflated < left)) return NUKE_PNG_DIRECT_UNUSUAL;
    const uint8_t *first = rows;
    const nuke_png_direct_status status = take_rows(direct, &rows, output);
    if (status != NUKE_PNG_DIRECT_OK) return status;
    left -= (size_t)(rows - first);
    // Bytes that matches may refer to and incomplete rows are moved to the front.
    const size_t written = (size_t)(output - direct->window);
    const uint8_t *kept = written > nuke_inflate_window ? output - nuke_inflate_window : direct->window;
    if (kept > rows) kept = rows;
    const size_t moved = (size_t)(kept - direct->window);
    memmove(direct->window, kept, written - moved);
    output -= moved;
    rows -= moved;
  }
  const uint8_t *end = output;
  if (nuke_inflate_run(direct->inflate, direct->window, &output, end + 1) != nuke_inflate_done || output != end) {
    return NUKE_PNG_DIRECT_UNUSUAL;
  }
  return ends_rightly(direct, adler) ? NUKE_PNG_DIRECT_OK : NUKE_PNG_DIRECT_UNUSUAL;
}

// Returns the number of bytes of all stored rows; 0 if a row is too long.
static uint64_t stored_bytes(const struct direct *direct) {
  uint64_t total = 0;
  for (int i = 0; i < direct->pass_count; i++) {
    const size_t stride = nuke_png_stride(&direct->form, direct->passes[i].width);
    if (stride > longest_row || direct->passes[i].width > longest_row) return 0;
    total += (uint64_t)stride * direct->passes[i].height;
  }
  return total;
}

// Returns the maximum number of bytes of pixels that are converted at a time in a pass; 0 if they are written in place.
static size_t scratch_bytes(const struct direct *direct) {
  size_t most = 0;
  for (int i = 0; i < direct->pass_count && direct->pass_count > 1; i++) {
    const struct nuke_png_pass *pass = &direct->passes[i];
    const uint32_t batch = nuke_png_band_rows(pass->width);
    const size_t bytes = (size_t)pass->width * 4 * (batch < pass->height ? batch : pass->height);
    if (bytes > most) most = bytes;
  }
  return most;
}

static nuke_png_direct_status decode(struct direct *direct) {
  const uint64_t total = stored_bytes(direct);
  if (total == 0) return NUKE_PNG_DIRECT_UNUSUAL;
  const size_t stride = nuke_png_stride(&direct->form, direct->target.width);
  // Room for a few batches, but not for more than the image.
  size_t room = stride * 16 > inflated_bytes ? stride * 16 : inflated_bytes;
  if (total < room) room = (size_t)total;
  direct->window_size = nuke_inflate_window + room;

  const size_t pixels = (size_t)direct->target.width * 4, lines = 2 * nuke_png_line(&direct->form, direct->target.width);
  const size_t above = pixels > lines ? pixels : lines, scratch = scratch_bytes(direct);
  uint8_t *memory = malloc(above + scratch + direct->window_size + nuke_inflate_slack + nuke_unfilter_padding);
  direct->inflate = malloc(sizeof *direct->inflate);
  nuke_png_direct_status result = NUKE_PNG_DIRECT_UNUSUAL;
  if (memory != NULL && direct->inflate != NULL) {
    direct->target.above = memory;
    direct->target.above_bytes = above;
    if (scratch > 0) direct->target.scratch = memory + above;
    direct->window = memory + above + scratch;
    if (direct->form.channels == 0) {
      if (direct->convert) direct->convert(direct->context, direct->form.colors[0], 1u << direct->form.bits);
      nuke_png_prepare_lookup(&direct->form);
    }
    nuke_inflate_start(direct->inflate, next_image_data, direct);
    result = decode_rows(direct, total);
  }
  free(direct->inflate);
  free(memory);
  return result;
}

static nuke_png_direct_status decode_to(const uint8_t *data, size_t count, struct nuke_png_target target,
                                        nuke_png_colors colors, nuke_png_rows rows, void *context, size_t *offset) {
  struct direct *direct = calloc(1, sizeof *direct);
  if (direct == NULL) return NUKE_PNG_DIRECT_UNUSUAL;
  direct->input = (struct nuke_png_input){.data = data, .count = count};
  direct->target = target;
  direct->target.kernels = nuke_unfilter_kernels_best();
  direct->convert = colors;
  direct->report = rows;
  direct->context = context;
  nuke_png_direct_status result = NUKE_PNG_DIRECT_UNUSUAL;
  bool is_interlaced = false;
  const uint32_t width = target.width, height = target.height;
  if (width > 0 && height > 0 && nuke_png_read_form(&direct->input, width, height, &direct->form, &is_interlaced) &&
      !(is_interlaced && target.is_band)) {
    direct->pass_count = nuke_png_passes(direct->passes, width, height, is_interlaced);
    result = decode(direct);
  }
  *offset = direct->input.position;
  free(direct);
  return result;
}

nuke_png_direct_status nuke_png_decode_direct(const uint8_t *data, size_t count, uint32_t width, uint32_t height,
                                              uint8_t *pixels, nuke_png_colors colors, nuke_png_rows rows,
                                              void *context, size_t *offset) {
  const struct nuke_png_target target = {.width = width, .height = height, .pixels = pixels};
  return decode_to(data, count, target, colors, rows, context, offset);
}

nuke_png_direct_status nuke_png_decode_direct_bands(const uint8_t *data, size_t count, uint32_t width,
                                                    uint32_t height, uint8_t *band, nuke_png_colors colors,
                                                    nuke_png_rows rows, void *context, size_t *offset) {
  const struct nuke_png_target target = {.width = width, .height = height, .pixels = band, .is_band = true};
  return decode_to(data, count, target, colors, rows, context, offset);
}
