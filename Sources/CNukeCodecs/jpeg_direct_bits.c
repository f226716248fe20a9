#include "jpeg_direct.h"

static void fill(JPEGBits *bits) {
  uint8_t *target = (uint8_t *)bits->end;
  uint8_t *const full = bits->window + JPEGWindowBytes;
  while (target < full) {
    const size_t left = (size_t)(bits->source_end - bits->source), room = (size_t)(full - target);
    const size_t count = left < room ? left : room;
    const uint8_t *stop = count > 0 ? memchr(bits->source, 0xFF, count) : NULL;
    const size_t plain = stop ? (size_t)(stop - bits->source) : count;
    if (bits->mark_source && bits->mark_source <= bits->source + plain) {
      bits->mark = target + (bits->mark_source - bits->source) - bits->window;
      bits->mark_source = NULL;
    }
    memcpy(target, bits->source, plain);
    target += plain;
    bits->source += plain;
    if (!stop) {
      if (left > room) break;
      bits->ended = left <= count;
      if (bits->ended) break;
      continue;
    }
    if (left - plain < 2 || stop[1] != 0) {
      bits->ended = true;
      break;
    }
    *target++ = 0xFF;
    bits->source += 2;
  }
  bits->end = target;
  bits->limit = target;
  if (bits->ended) {
    memset(target, 0, JPEGUnitBytes + 64);
  } else {
    bits->limit -= JPEGUnitBytes;
  }
}

void nuke_jpeg_start_bits(JPEGBits *bits, const uint8_t *source, const uint8_t *source_end) {
  bits->bits = 0;
  bits->count = 0;
  bits->next = bits->end = bits->window;
  bits->source = source;
  bits->source_end = source_end;
  bits->ended = false;
  bits->mark_source = source;
  fill(bits);
}

bool nuke_jpeg_is_within(const JPEGBits *bits) {
  return (bits->end - bits->next) * 8 + (ptrdiff_t)bits->count >= 0;
}

bool nuke_jpeg_more(JPEGBits *bits) {
  if (bits->ended) return nuke_jpeg_is_within(bits);
  const size_t left = (size_t)(bits->end - bits->next);
  memmove(bits->window, bits->next, left);
  bits->mark -= bits->next - bits->window;
  bits->next = bits->window;
  bits->end = bits->window + left;
  fill(bits);
  return true;
}

int64_t nuke_jpeg_offset(const JPEGBits *bits) {
  if (bits->mark_source) return INT64_MIN;
  return (int64_t)(bits->next - bits->window - bits->mark) * 8 - bits->count;
}

bool nuke_jpeg_restart(JPEGBits *bits, unsigned number) {
  if (!bits->ended) nuke_jpeg_more(bits);
  if (!bits->ended || !nuke_jpeg_is_within(bits)) return false;
  // libjpeg would skip whole bytes before the marker. Only padding bits may be left.
  if ((bits->end - bits->next) * 8 + (ptrdiff_t)bits->count >= 8) return false;
  if (bits->source_end - bits->source < 2 || bits->source[1] != 0xD0 + number) return false;
  nuke_jpeg_start_bits(bits, bits->source + 2, bits->source_end);
  return true;
}

void nuke_jpeg_skip_to_marker(JPEGBits *bits) {
  while (!bits->ended) {
    const uint8_t *stop = memchr(bits->source, 0xFF, (size_t)(bits->source_end - bits->source));
    bits->source = stop ? stop : bits->source_end;
    bits->ended = bits->source_end - bits->source < 2 || bits->source[1] != 0;
    if (!bits->ended) bits->source += 2;
  }
  bits->next = bits->end = bits->limit = bits->window;
  bits->count = 0;
}

void nuke_jpeg_copy_bits(JPEGBits *target, const JPEGBits *source) {
  *target = *source;
  target->next = target->window + (source->next - source->window);
  target->limit = target->window + (source->limit - source->window);
  target->end = target->window + (source->end - source->window);
}
