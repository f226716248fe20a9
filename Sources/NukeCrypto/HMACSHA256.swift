#if Server
  import CNukeCrypto

  /// Message authentication codes by HMAC-SHA256 (RFC 2104).
  package enum HMACSHA256 {
    /// Returns the code of a message, 32 bytes.
    package static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
      var code = [UInt8](repeating: 0, count: 32)
      // A pointer to no bytes would select the key of an earlier call.
      let start = key.isEmpty ? [0] : key
      guard HMAC(EVP_sha256(), start, CInt(key.count), message, message.count, &code, nil) != nil else {
        preconditionFailure("libcrypto cannot compute an HMAC-SHA256")
      }
      return code
    }

    /// Compares the codes of two texts with a random key, in a time that does not depend on where they differ.
    package static func areEqual(_ text: String, _ other: String) -> Bool {
      let key = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
      return CRYPTO_memcmp(code(of: Array(text.utf8), key: key), code(of: Array(other.utf8), key: key), 32) == 0
    }
  }
#endif
