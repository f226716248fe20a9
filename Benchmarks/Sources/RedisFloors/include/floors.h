#pragma once
#include <stddef.h>

/// Connects hiredis to a Unix socket, or to a port on loopback if there is no path. Returns NULL if that fails.
void *redis_floor_connect(const char *path, int port);
void redis_floor_close(void *connection);

/// Stores `length` bytes `times` times for `key`, one command at a time. Returns the number of successes.
int redis_floor_set(void *connection, const char *key, const void *bytes, size_t length, int times);

/// Fetches `key` `times` times, one command at a time. Returns the number of replies with `length` bytes.
int redis_floor_get(void *connection, const char *key, size_t length, int times);
