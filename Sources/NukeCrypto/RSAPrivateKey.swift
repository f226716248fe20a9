#if Server
  import CNukeCrypto

  /// An RSA key that signs.
  package final class RSAPrivateKey: Sendable {
    /// Only read after it was created, which libcrypto allows on several threads.
    private nonisolated(unsafe) let key: OpaquePointer

    /// Reads an unencrypted key. Returns `nil` for any other text.
    package init?(pem: String) {
      let bytes = Array(pem.utf8)
      guard let size = CInt(exactly: bytes.count), let source = BIO_new_mem_buf(bytes, size) else { return nil }
      defer { BIO_free(source) }
      // Without this callback, libcrypto would ask the terminal for a password.
      guard let key = PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil) else { return nil }
      self.key = key
    }

    deinit { EVP_PKEY_free(key) }

    /// Returns the signature of a message: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 §8.2). Returns `nil` if the key
    /// cannot sign.
    package func signature(of message: [UInt8]) -> [UInt8]? {
      guard let context = EVP_MD_CTX_new() else { return nil }
      defer { EVP_MD_CTX_free(context) }
      var size = 0
      guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
        EVP_DigestSign(context, nil, &size, message, message.count) == 1
      else { return nil }
      var signature = [UInt8](repeating: 0, count: size)
      guard EVP_DigestSign(context, &signature, &size, message, message.count) == 1 else { return nil }
      return Array(signature.prefix(size))
    }
  }
#endif
