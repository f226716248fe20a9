#if Server
  import CNukeCrypto

  /// AES in the mode CBC (NIST SP 800-38A), for whole blocks.
  package struct BlockCipher: Sendable {
    /// The size of a block and of an initialization vector, in bytes.
    package static let blockSize = 16

    private let key: [UInt8]

    /// - Parameter key: 16, 24 or 32 secret bytes, for AES-128, AES-192 or AES-256. The result is `nil` for other sizes.
    package init?(key: [UInt8]) {
      guard [16, 24, 32].contains(key.count) else { return nil }
      self.key = key
    }

    /// Encrypts or decrypts whole blocks. Returns `nil` if libcrypto fails.
    package func transformed(_ blocks: [UInt8], vector: [UInt8], encrypts: Bool) -> [UInt8]? {
      guard vector.count == Self.blockSize, let context = EVP_CIPHER_CTX_new() else { return nil }
      defer { EVP_CIPHER_CTX_free(context) }
      let cipher =
        switch key.count {
        case 16: EVP_aes_128_cbc()
        case 24: EVP_aes_192_cbc()
        default: EVP_aes_256_cbc()
        }
      var result = [UInt8](repeating: 0, count: blocks.count + Self.blockSize)
      var count: CInt = 0
      guard EVP_CipherInit_ex(context, cipher, nil, key, vector, encrypts ? 1 : 0) == 1,
        // The caller adds and removes the padding, since libcrypto would report a wrong one at once.
        EVP_CIPHER_CTX_set_padding(context, 0) == 1,
        EVP_CipherUpdate(context, &result, &count, blocks, CInt(blocks.count)) == 1, count == blocks.count
      else { return nil }
      return Array(result.prefix(blocks.count))
    }
  }
#endif
