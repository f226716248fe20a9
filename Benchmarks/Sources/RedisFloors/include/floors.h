#pragma once
#include <stddef.h>

/// Connects hiredis to a Unix socket, or to a port on loopback where there is no path; NULL if that fails.
void *redis_floor_connect(const char *path, int port);
void redis_floor_close(void *connection);

/// Stores `length` bytes `times` times for `key`, one command at a time. Gives how often that went well.
int redis_floor_set(void *connection, const char *key, const void *bytes, size_t length, int times);

/// Fetches `key` `times` times, one command at a time. Gives how often `length` bytes came.
int redis_floor_get(void *connection, const char *key, size_t length, int times);
