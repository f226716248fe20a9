#pragma once
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stddef.h>

/* Macros that Swift does not import. */

static inline int nuke_tls_require_1_2(SSL_CTX *context) {
  return (int)SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

static inline int nuke_tls_set_server_name(SSL *session, const char *name) {
  return (int)SSL_set_tlsext_host_name(session, name);
}

/* The bytes in a memory BIO, which stay there. */
static inline size_t nuke_tls_pending(BIO *bio, const char **bytes) {
  char *start = NULL;
  long count = BIO_get_mem_data(bio, &start);
  *bytes = start;
  return count > 0 ? (size_t)count : 0;
}
