#pragma once
#include <stdint.h>

/* libcurl's multi interface with nothing around it: its connections are kept from one run to the next. */
typedef struct network_floor network_floor;

network_floor *network_floor_open(int concurrency);

/* Downloads `count` URLs, `base` with a number behind it, so many at a time. Returns the bytes of the bodies, or -1 where
   one failed. */
int64_t network_floor_run(network_floor *floor, const char *base, int count);

void network_floor_close(network_floor *floor);
