// Decodes the usual kinds of PNG without libpng, several times faster: by an inflater that gives several bytes a
// look-up, and rows that are unfiltered together and straight into the pixels.
//
// It takes only what is whole and usual. Of all else it says so, and libpng decides, from the beginning, what the file
// comes to; so both accept the same files, and give the same pixels.
#include "CNukePNGShim.h"

#include <CNukeKernels.h>
#include <stdlib.h>
#include <string.h>

enum {
  // Rows are handed over in batches of about this many bytes of pixels, so that they are still in the cache.
  batch_bytes = 65536,
  // Bytes of rows that are inflated before they are unfiltered, at least.
  inflated_bytes = 131072,
  // Rows longer than this are no usual ones.
  longest_row = 1 << 20,
};

struct direct {
  const uint8_t *data;
  size_t count, position;
  uint32_t width, height;
  int channels;
  uint8_t *pixels;
  nuke_png_rows report;
  void *context;

  const nuke_unfilter_kernels *kernels;
  nuke_inflate *inflate;
  // What was inflated: the bytes that matches may reach back to, among them rows that are not unfiltered yet.
  uint8_t *window;
  size_t window_size;
  // The row of pixels above those that come next.
  uint8_t *above;
};

static uint32_t big_endian(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

// MARK: - Chunks

struct chunk {
  const uint8_t *type, *bytes;
  size_t count;
};

// The chunk at the position, whole and with the right checksum; the position moves behind it.
static bool next_chunk(struct direct *direct, struct chunk *chunk) {
  const size_t left = direct->count - direct->position;
  if (left < 12) return false;
  const uint8_t *start = direct->data + direct->position;
  const uint32_t count = big_endian(start);
  if (count > INT32_MAX || count > left - 12) return false;
  *chunk = (struct chunk){.type = start + 4, .bytes = start + 8, .count = count};
  if (nuke_png_crc(chunk->type, (size_t)count + 4) != big_endian(chunk->bytes + count)) return false;
  direct->position += (size_t)count + 12;
  return true;
}

static bool is(const struct chunk *chunk, const char *type) { return memcmp(chunk->type, type, 4) == 0; }

// Whether libpng, as it is set up, passes over the chunk.
static bool is_ignored(const struct chunk *chunk) {
  for (int i = 0; i < 4; i++) {
    const uint8_t letter = chunk->type[i] & ~0x20;
    if (letter < 'A' || letter > 'Z') return false;
  }
  return (chunk->type[0] & 0x20) != 0 && !is(chunk, "tRNS");
}

// Reads up to the image data. False where something is unusual.
static bool read_header(struct direct *direct) {
  static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  static const int channels[7] = {1, 0, 3, 0, 2, 0, 4};
  if (direct->count < 8 || memcmp(direct->data, signature, 8) != 0) return false;
  direct->position = 8;
  struct chunk chunk;
  if (!next_chunk(direct, &chunk) || !is(&chunk, "IHDR") || chunk.count != 13) return false;
  const uint8_t *fields = chunk.bytes;
  if (big_endian(fields) != direct->width || big_endian(fields + 4) != direct->height) return false;
  // 8 bits; no interlace.
  if (fields[8] != 8 || fields[9] > 6 || fields[10] != 0 || fields[11] != 0 || fields[12] != 0) return false;
  direct->channels = channels[fields[9]];
  if (direct->channels == 0) return false;
  while (true) {
    const size_t start = direct->position;
    if (!next_chunk(direct, &chunk)) return false;
    if (is(&chunk, "IDAT")) {
      direct->position = start;
      return true;
    }
    if (!is_ignored(&chunk)) return false;
  }
}

// The next piece of the compressed rows.
static bool next_image_data(void *context, const uint8_t **bytes, size_t *count) {
  struct direct *direct = context;
  struct chunk chunk;
  do {
    if (!next_chunk(direct, &chunk) || !is(&chunk, "IDAT")) return false;
  } while (chunk.count == 0);
  *bytes = chunk.bytes;
  *count = chunk.count;
  return true;
}

// The header of zlib (RFC 1950, 2.2): DEFLATE, a window of at most 32 KB, no dictionary.
static bool read_stream_header(struct direct *direct) {
  const int method = nuke_inflate_byte(direct->inflate), flags = nuke_inflate_byte(direct->inflate);
  return method >= 0 && flags >= 0 && (method & 15) == 8 && method >> 4 <= 7 && (method << 8 | flags) % 31 == 0 &&
         (flags & 0x20) == 0;
}

// Whether the rows end with their checksum, and the image data with them.
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

static size_t stored_stride(const struct direct *direct) {
  return (size_t)direct->width * (size_t)direct->channels + 1;
}

// Makes pixels of `count` stored rows, of which the first is `y`.
static bool unfilter(struct direct *direct, const uint8_t *rows, uint32_t y, uint32_t count) {
  const size_t bytes = (size_t)direct->width * 4;
  uint8_t *output = direct->pixels + y * bytes;
  if (!direct->kernels->rows(output, direct->above, rows, direct->width, count, direct->channels)) return false;
  // The caller may change rows that it is told of.
  memcpy(direct->above, output + (count - 1) * bytes, bytes);
  return true;
}

static nuke_png_direct_status decode_rows(struct direct *direct) {
  const size_t stride = stored_stride(direct);
  uint32_t batch = (uint32_t)(batch_bytes / ((size_t)direct->width * 4));
  // Eight rows are unfiltered together.
  batch = batch < 8 ? 8 : batch / 8 * 8;
  uint8_t *const window_end = direct->window + direct->window_size;
  uint8_t *output = direct->window, *rows = direct->window;
  uint32_t y = 0, adler = 1;
  if (!read_stream_header(direct)) return NUKE_PNG_DIRECT_UNUSUAL;
  while (y < direct->height) {
    const size_t wanted = stride * (direct->height - y);
    const size_t room = (size_t)(window_end - rows);
    const uint8_t *start = output;
    const nuke_inflate_result result =
      nuke_inflate_run(direct->inflate, direct->window, &output, wanted < room ? rows + wanted : window_end);
    if (result == nuke_inflate_failed) return NUKE_PNG_DIRECT_UNUSUAL;
    adler = direct->kernels->adler(adler, start, (size_t)(output - start));
    if ((size_t)(output - rows) > wanted || (result == nuke_inflate_done && (size_t)(output - rows) < wanted)) {
      return NUKE_PNG_DIRECT_UNUSUAL;
    }
    const size_t complete = (size_t)(output - rows) / stride;
    for (size_t done = 0; done < complete;) {
      const uint32_t count = complete - done < batch ? (uint32_t)(complete - done) : batch;
      // In the middle of the image the rest of a batch is left for the next time.
      if (count % 8 != 0 && y + count < direct->height && done > 0) break;
      if (!unfilter(direct, rows, y, count)) return NUKE_PNG_DIRECT_UNUSUAL;
      if (direct->report && !direct->report(direct->context, y, count)) return NUKE_PNG_DIRECT_STOPPED;
      rows += stride * count;
      y += count;
      done += count;
    }
    // What matches may reach back to, and rows that are not complete, move to the front.
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

nuke_png_direct_status nuke_png_decode_direct(const uint8_t *data, size_t count, uint32_t width, uint32_t height,
                                              uint8_t *pixels, nuke_png_rows rows, void *context, size_t *offset) {
  struct direct direct = {.data = data,
                          .count = count,
                          .width = width,
                          .height = height,
                          .pixels = pixels,
                          .report = rows,
                          .context = context,
                          .kernels = nuke_unfilter_kernels_best()};
  if (width == 0 || height == 0 || !read_header(&direct)) return NUKE_PNG_DIRECT_UNUSUAL;
  const size_t stride = stored_stride(&direct);
  if (stride > longest_row) return NUKE_PNG_DIRECT_UNUSUAL;
  // Room for some batches, but not for more rows than there are.
  size_t room = stride * 16 > inflated_bytes ? stride * 16 : inflated_bytes;
  if (height < room / stride) room = stride * height;
  direct.window_size = nuke_inflate_window + room;

  const size_t above = (size_t)width * 4;
  uint8_t *memory = malloc(above + direct.window_size + nuke_inflate_slack + nuke_unfilter_padding);
  direct.inflate = malloc(sizeof *direct.inflate);
  nuke_png_direct_status result = NUKE_PNG_DIRECT_UNUSUAL;
  if (memory != NULL && direct.inflate != NULL) {
    direct.above = memory;
    direct.window = memory + above;
    memset(direct.above, 0, above);
    nuke_inflate_start(direct.inflate, next_image_data, &direct);
    result = decode_rows(&direct);
  }
  free(direct.inflate);
  free(memory);
  *offset = direct.position;
  return result;
}
