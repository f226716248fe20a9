#include "jpeg_direct.h"

const uint8_t nuke_jpeg_natural_order[64] = {
  0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
  41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
  30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

static unsigned uint16_at(const uint8_t *bytes) { return (unsigned)bytes[0] << 8 | bytes[1]; }

static bool read_frame(JPEGHeaders *headers, const uint8_t *content, size_t size) {
  if (headers->component_count || size < 6) return false;
  headers->height = uint16_at(content + 1);
  headers->width = uint16_at(content + 3);
  const unsigned count = content[5];
  if (content[0] != 8 || headers->height == 0 || headers->width == 0) return false;
  if ((count != 1 && count != 3) || size != 6 + count * 3) return false;
  for (unsigned i = 0; i < count; i++) {
    const uint8_t *bytes = content + 6 + i * 3;
    headers->components[i] = (JPEGComponent){bytes[0], bytes[1] >> 4, bytes[1] & 15, bytes[2]};
    for (unsigned j = 0; j < i; j++) {
      if (headers->components[j].identifier == bytes[0]) return false;
    }
    if (bytes[1] >> 4 < 1 || bytes[1] >> 4 > 4 || (bytes[1] & 15) < 1 || (bytes[1] & 15) > 4 || bytes[2] > 3) {
      return false;
    }
  }
  headers->component_count = count;
  return true;
}

static bool read_steps(JPEGHeaders *headers, const uint8_t *content, size_t size) {
  if (size % 65 != 0) return false;
  for (; size > 0; size -= 65, content += 65) {
    // The upper four bits are 1 if the quantization steps have 16 bits.
    if (content[0] > 3) return false;
    for (int i = 0; i < 64; i++) headers->steps[content[0]][nuke_jpeg_natural_order[i]] = content[1 + i];
    headers->has_steps[content[0]] = true;
  }
  return true;
}

static bool read_codes(JPEGHeaders *headers, const uint8_t *content, size_t size) {
  while (size > 0) {
    if (size < 17) return false;
    unsigned count = 0;
    for (int i = 1; i <= 16; i++) count += content[i];
    if (count > 256 || 17 + count > size || (content[0] & 0xEC)) return false;
    (content[0] >> 4 ? headers->ac_codes : headers->dc_codes)[content[0] & 3] = content + 1;
    content += 17 + count;
    size -= 17 + count;
  }
  return true;
}

static bool read_scan(JPEGHeaders *headers, JPEGScan *scan, const uint8_t *content, size_t size) {
  if (size < 1 || headers->component_count == 0) return false;
  scan->count = content[0];
  if (scan->count < 1 || scan->count > headers->component_count || size != 4 + scan->count * 2) return false;
  unsigned position = 0;
  for (unsigned i = 0; i < scan->count; i++, position++) {
    const uint8_t *bytes = content + 1 + i * 2;
    // The components must be in the order of the frame header.
    while (position < headers->component_count && headers->components[position].identifier != bytes[0]) position++;
    if (position == headers->component_count || (bytes[1] & 0xCC)) return false;
    scan->component[i] = (uint8_t)position;
    scan->dc_table[i] = bytes[1] >> 4;
    scan->ac_table[i] = bytes[1] & 15;
  }
  const uint8_t *bytes = content + 1 + scan->count * 2;
  scan->first = bytes[0];
  scan->last = bytes[1];
  scan->high_bit = bytes[2] >> 4;
  scan->low_bit = bytes[2] & 15;
  return true;
}

static void read_application(JPEGHeaders *headers, unsigned marker, const uint8_t *content, size_t size) {
  if (marker == 0xE0 && size >= 14 && memcmp(content, "JFIF", 5) == 0) headers->jfif = true;
  if (marker == 0xEE && size >= 12 && memcmp(content, "Adobe", 5) == 0) {
    headers->adobe = true;
    headers->adobe_transform = content[11];
  }
}

JPEGMarker nuke_jpeg_next_scan(JPEGHeaders *headers, JPEGScan *scan) {
  const uint8_t *data = headers->data;
  if (headers->offset == 0) {
    if (headers->size < 2 || uint16_at(data) != 0xFFD8) return JPEGMarkerDeclined;
    headers->offset = 2;
  }
  while (true) {
    size_t offset = headers->offset;
    if (offset >= headers->size || data[offset] != 0xFF) return JPEGMarkerDeclined;
    while (offset < headers->size && data[offset] == 0xFF) offset++;
    if (offset >= headers->size) return JPEGMarkerDeclined;
    const unsigned marker = data[offset++];
    if (marker == 0xD9) return JPEGMarkerEnd;
    if (headers->size - offset < 2) return JPEGMarkerDeclined;
    const size_t length = uint16_at(data + offset);
    if (length < 2 || length > headers->size - offset) return JPEGMarkerDeclined;
    const uint8_t *content = data + offset + 2;
    headers->offset = offset + length;
    bool ok = true;
    switch (marker) {
    case 0xC0:
    case 0xC1:
    case 0xC2:
      ok = read_frame(headers, content, length - 2);
      headers->progressive = marker == 0xC2;
      break;
    case 0xC4:
      ok = read_codes(headers, content, length - 2);
      break;
    case 0xDB:
      ok = read_steps(headers, content, length - 2);
      break;
    case 0xDD:
      ok = length == 4;
      if (ok) headers->restart_interval = uint16_at(content);
      break;
    case 0xDA:
      ok = read_scan(headers, scan, content, length - 2);
      scan->start = headers->offset;
      if (ok) return JPEGMarkerScan;
      break;
    default:
      // Only application segments and comments are skipped; other markers are declined.
      ok = (marker >= 0xE0 && marker <= 0xEF) || marker == 0xFE;
      if (ok) read_application(headers, marker, content, length - 2);
    }
    if (!ok) return JPEGMarkerDeclined;
  }
}

bool nuke_jpeg_is_ycc(const JPEGHeaders *headers) {
  if (headers->jfif) return true;
  if (headers->adobe) return headers->adobe_transform != 0;
  const JPEGComponent *components = headers->components;
  return !(components[0].identifier == 'R' && components[1].identifier == 'G' && components[2].identifier == 'B');
}
