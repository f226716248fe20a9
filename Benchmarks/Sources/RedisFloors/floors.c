#include "floors.h"
#if __has_include(<hiredis/hiredis.h>)
#include <hiredis/hiredis.h>

void *redis_floor_connect(const char *path, int port) {
  redisContext *context = path ? redisConnectUnix(path) : redisConnect("127.0.0.1", port);
  if (context && context->err) {
    redisFree(context);
    return NULL;
  }
  return context;
}

void redis_floor_close(void *connection) { redisFree(connection); }

int redis_floor_set(void *connection, const char *key, const void *bytes, size_t length, int times) {
  int count = 0;
  for (int i = 0; i < times; i++) {
    redisReply *reply = redisCommand(connection, "SET %s %b PX 604800000", key, bytes, length);
    if (reply && reply->type == REDIS_REPLY_STATUS) count++;
    freeReplyObject(reply);
  }
  return count;
}

int redis_floor_get(void *connection, const char *key, size_t length, int times) {
  int count = 0;
  for (int i = 0; i < times; i++) {
    redisReply *reply = redisCommand(connection, "GET %s", key);
    if (reply && reply->len == length) count++;
    freeReplyObject(reply);
  }
  return count;
}
#endif
