#include "network_floors.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

struct network_floor {
  CURLM *multi;
  CURL **easies;
  int concurrency;
  int64_t bytes;
};

static size_t count_bytes(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes;
  ((network_floor *)context)->bytes += (int64_t)(size * count);
  return size * count;
}

network_floor *network_floor_open(int concurrency) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  network_floor *floor = calloc(1, sizeof *floor);
  floor->multi = curl_multi_init();
  floor->concurrency = concurrency;
  curl_multi_setopt(floor->multi, CURLMOPT_MAXCONNECTS, (long)concurrency);
  floor->easies = calloc((size_t)concurrency, sizeof *floor->easies);
  for (int index = 0; index < concurrency; index++) {
    CURL *easy = floor->easies[index] = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 65536L);
    curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, count_bytes);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, floor);
  }
  return floor;
}

static void start(network_floor *floor, CURL *easy, const char *base, int number) {
  char url[512];
  snprintf(url, sizeof url, "%s%d", base, number);
  curl_easy_setopt(easy, CURLOPT_URL, url);
  curl_multi_add_handle(floor->multi, easy);
}

int64_t network_floor_run(network_floor *floor, const char *base, int count) {
  int started = 0, ended = 0, failed = 0;
  floor->bytes = 0;
  while (started < count && started < floor->concurrency) {
    start(floor, floor->easies[started], base, started);
    started++;
  }
  while (ended < started) {
    int running = 0, left = 0;
    curl_multi_perform(floor->multi, &running);
    CURLMsg *message;
    while ((message = curl_multi_info_read(floor->multi, &left))) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL *easy = message->easy_handle;
      if (message->data.result != CURLE_OK) failed++;
      ended++;
      curl_multi_remove_handle(floor->multi, easy);
      if (started < count) start(floor, easy, base, started++);
    }
    if (ended < started) curl_multi_poll(floor->multi, NULL, 0, 1000, NULL);
  }
  return failed ? -1 : floor->bytes;
}

void network_floor_close(network_floor *floor) {
  for (int index = 0; index < floor->concurrency; index++) curl_easy_cleanup(floor->easies[index]);
  curl_multi_cleanup(floor->multi);
  free(floor->easies);
  free(floor);
}
