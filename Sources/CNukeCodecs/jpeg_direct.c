#include "jpeg_direct.h"

JPEGDirectResult nuke_jpeg_decode_direct(const nuke_jpeg_decoding *decoding, unsigned *divided_at) {
  JPEGHeaders headers = {.data = decoding->data, .size = decoding->size};
  JPEGScan scan;
  if (decoding->cmyk || nuke_jpeg_next_scan(&headers, &scan) != JPEGMarkerScan) return JPEGDirectDeclined;
  if (headers.width != decoding->width || headers.height != decoding->height) return JPEGDirectDeclined;
  if (headers.component_count == 3 && !nuke_jpeg_is_ycc(&headers)) return JPEGDirectDeclined;
  if (headers.progressive) return nuke_jpeg_decode_progressive(&headers, &scan, decoding);
  if (scan.count != headers.component_count) return JPEGDirectDeclined;
  return nuke_jpeg_decode_baseline(&headers, &scan, decoding, divided_at);
}
