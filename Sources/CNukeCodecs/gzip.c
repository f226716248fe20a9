// Inflates gzip data (RFC 1952), of which SVG images may consist.
#include "CNukeCodecs.h"
#include <zlib.h>

nuke_gzip_result nuke_gzip_inflate(const uint8_t *data, size_t count, uint8_t *output, size_t limit) {
  nuke_gzip_result result = {NUKE_GZIP_DAMAGED, 0, 0};
  z_stream stream = {0};
  if (count > UINT32_MAX || limit > UINT32_MAX) return result;
  result.status = NUKE_GZIP_NO_MEMORY;
  // 16 stands for the header and trailer of gzip.
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) return result;
  stream.next_in = (Bytef *)data;
  stream.avail_in = (uInt)count;
  stream.next_out = output;
  stream.avail_out = (uInt)limit;
  const int status = inflate(&stream, Z_FINISH);
  result.read = count - stream.avail_in;
  result.written = limit - stream.avail_out;
  if (status == Z_STREAM_END) {
    result.status = NUKE_GZIP_DONE;
  } else if (status == Z_OK || status == Z_BUF_ERROR) {
    result.status = stream.avail_out == 0 ? NUKE_GZIP_FULL : NUKE_GZIP_TRUNCATED;
  } else if (status != Z_MEM_ERROR) {
    result.status = NUKE_GZIP_DAMAGED;
  }
  inflateEnd(&stream);
  return result;
}
