#include "CNukeKernels.h"

#include <string.h>

// Only copies pixels, so there is one variant.
void nuke_resample_nearest(
  const nuke_resampling_axis *horizontal, const nuke_resampling_axis *vertical, const uint8_t *source,
  size_t source_stride, uint8_t *destination, size_t destination_stride) {
  const size_t width = (size_t)horizontal->count;
  for (int32_t y = 0; y < vertical->count; y++, destination += destination_stride) {
    if (y > 0 && vertical->starts[y] == vertical->starts[y - 1]) {
      memcpy(destination, destination - destination_stride, width * 4);
      continue;
    }
    const uint8_t *row = source + (size_t)vertical->starts[y] * source_stride;
    for (size_t x = 0; x < width; x++) memcpy(destination + x * 4, row + (size_t)horizontal->starts[x] * 4, 4);
  }
}
