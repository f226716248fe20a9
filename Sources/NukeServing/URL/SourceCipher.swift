#if Server
  import CNukeCrypto

  /// Encrypts and decrypts the URLs of sources by imgproxy's scheme: AES-CBC with PKCS #7 padding, behind the
  /// initialization vector of 16 bytes.
  ///
  /// Encryption hides a source from the clients. It does not replace signatures: a client that may send any URL can
  /// decrypt the sources of others by trying out changes of them.
  public struct SourceCipher: Sendable {
    private static let blockSize = 16
    private let key: [UInt8]

    /// - Parameter key: 16, 24 or 32 secret bytes, for AES-128, AES-192 or AES-256. The result is `nil` for other sizes.
    public init?(key: [UInt8]) {
      guard [16, 24, 32].contains(key.count) else { return nil }
      self.key = key
    }

    /// Returns the initialization vector and the encrypted text.
    ///
    /// Equal texts have equal results, so that clients and caches find an image again. The vector is the beginning of the
    /// HMAC-SHA256 of the text with a key that is derived from that of the encryption.
    public func encrypt(_ text: String) -> [UInt8] {
      let vectorKey = hmac(of: Array("initialization vector".utf8), key: key)
      return encrypt(text, vector: Array(hmac(of: Array(text.utf8), key: vectorKey).prefix(Self.blockSize)))
    }

    func encrypt(_ text: String, vector: [UInt8]) -> [UInt8] {
      let padding = Self.blockSize - text.utf8.count % Self.blockSize
      let padded = Array(text.utf8) + Array(repeating: UInt8(padding), count: padding)
      guard let encrypted = transformed(padded, vector: vector, encrypts: true) else {
        preconditionFailure("libcrypto cannot encrypt with AES")
      }
      return vector + encrypted
    }

    /// Returns the text. Returns `nil` for another key, damaged bytes, a wrong padding, an empty text, and bytes that are
    /// not UTF-8, which the caller must not tell apart.
    ///
    /// The steps are the same for a valid and an invalid padding, so that the time does not reveal which one it is.
    func decrypt(_ bytes: [UInt8]) -> String? {
      guard bytes.count >= 2 * Self.blockSize, bytes.count.isMultiple(of: Self.blockSize),
        let padded = transformed(
          Array(bytes.dropFirst(Self.blockSize)), vector: Array(bytes.prefix(Self.blockSize)), encrypts: false)
      else { return nil }
      let padding = Self.padding(of: padded)
      let text = String(validating: padded.prefix(padded.count - padding.count), as: UTF8.self)
      guard padding.isValid, let text, !text.isEmpty else { return nil }
      return text
    }

    /// Returns the number of padding bytes, 0 if the padding is invalid. Has no branches that depend on the bytes.
    private static func padding(of padded: [UInt8]) -> (count: Int, isValid: Bool) {
      let count = Int(padded[padded.count - 1])
      /// Returns -1 for a negative number, and otherwise 0.
      func mask(_ number: Int) -> Int { number >> (Int.bitWidth - 1) }
      // 0 and counts of more than a block are invalid.
      var difference = mask(count - 1) | mask(blockSize - count)
      for index in 0..<blockSize {
        let isPadding = mask(index - count)
        difference |= isPadding & (Int(padded[padded.count - 1 - index]) ^ count)
      }
      // -1 if there is no difference.
      let isValid = ~(mask(difference) | mask(-difference))
      return (count & isValid, isValid != 0)
    }

    /// Encrypts or decrypts whole blocks. Returns `nil` if libcrypto fails.
    private func transformed(_ blocks: [UInt8], vector: [UInt8], encrypts: Bool) -> [UInt8]? {
      guard let context = EVP_CIPHER_CTX_new() else { return nil }
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
        // The padding is added and removed here, since libcrypto would report a wrong one at once.
        EVP_CIPHER_CTX_set_padding(context, 0) == 1,
        EVP_CipherUpdate(context, &result, &count, blocks, CInt(blocks.count)) == 1, count == blocks.count
      else { return nil }
      return Array(result.prefix(blocks.count))
    }
  }
#endif
