#if Server
  import NukeCrypto

  /// Encrypts and decrypts the URLs of sources by imgproxy's scheme: AES-CBC with PKCS #7 padding, behind the
  /// initialization vector of 16 bytes.
  ///
  /// Encryption hides a source from the clients. It does not replace signatures: a client that may send any URL can
  /// decrypt the sources of others by trying out changes of them.
  public struct SourceCipher: Sendable {
    private static let blockSize = BlockCipher.blockSize
    private let key: [UInt8]
    private let cipher: BlockCipher

    /// - Parameter key: 16, 24 or 32 secret bytes, for AES-128, AES-192 or AES-256. The result is `nil` for other sizes.
    public init?(key: [UInt8]) {
      guard let cipher = BlockCipher(key: key) else { return nil }
      self.key = key
      self.cipher = cipher
    }

    /// Returns the initialization vector and the encrypted text.
    ///
    /// Equal texts have equal results, so that clients and caches find an image again. The vector is the beginning of the
    /// HMAC-SHA256 of the text with a key that is derived from that of the encryption.
    public func encrypt(_ text: String) -> [UInt8] {
      let vectorKey = HMACSHA256.code(of: Array("initialization vector".utf8), key: key)
      return encrypt(text, vector: Array(HMACSHA256.code(of: Array(text.utf8), key: vectorKey).prefix(Self.blockSize)))
    }

    func encrypt(_ text: String, vector: [UInt8]) -> [UInt8] {
      let padding = Self.blockSize - text.utf8.count % Self.blockSize
      let padded = Array(text.utf8) + Array(repeating: UInt8(padding), count: padding)
      guard let encrypted = cipher.transformed(padded, vector: vector, encrypts: true) else {
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
        let padded = cipher.transformed(
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
  }
#endif
