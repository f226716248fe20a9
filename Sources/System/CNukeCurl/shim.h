#pragma once
#include <curl/curl.h>
#include <stddef.h>

/* Swift cannot call variadic functions: one typed function stands for each kind of option. */

static inline CURLcode nuke_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode nuke_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode nuke_curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode nuke_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode nuke_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

/* The shape of both the write and the header callback. */
typedef size_t (*nuke_curl_bytes_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode nuke_curl_set_bytes_callback(CURL *easy, CURLoption option, nuke_curl_bytes_callback value) {
  return curl_easy_setopt(easy, option, value);
}

/* Called when a connection is at hand and the request is about to be sent. */
typedef int (*nuke_curl_request_callback)(void *context, char *remote, char *local, int remote_port, int local_port);

static inline CURLcode nuke_curl_set_request_callback(CURL *easy, nuke_curl_request_callback value) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

/* Called before each connection: the socket for it, or CURL_SOCKET_BAD. */
typedef curl_socket_t (*nuke_curl_socket_callback)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

static inline CURLcode nuke_curl_set_socket_callback(CURL *easy, nuke_curl_socket_callback value) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline long nuke_curl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

static inline curl_off_t nuke_curl_get_offset(CURL *easy, CURLINFO info) {
  curl_off_t value = -1;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : -1;
}

static inline void *nuke_curl_get_private(CURL *easy) {
  char *value = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

static inline CURLMcode nuke_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/* Takes the next finished transfer off the queue: 1 with its handle and result, 0 when there is none.
   It keeps the union in CURLMsg out of Swift. */
static inline int nuke_curl_multi_next_finished(CURLM *multi, CURL **easy, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg == CURLMSG_DONE) {
      *easy = message->easy_handle;
      *result = message->data.result;
      return 1;
    }
  }
  return 0;
}

/* A request may begin with http, https or, where libcurl was built with it, ftp. The options that take names came with
   7.85. */
static inline void nuke_curl_restrict_schemes(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  if (curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https,ftp,ftps") != CURLE_OK)
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS | CURLPROTO_FTP | CURLPROTO_FTPS));
#endif
}

/* Ending a transfer while its host is being looked up waits for the resolver's thread, and with it every other
   transfer of the multi handle, unless this is set (7.87). */
static inline void nuke_curl_leave_resolver_behind(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
#endif
}
