#if Server
  import Crypto

  /// Signs and checks URLs by imgproxy's scheme: HMAC-SHA256 with a key over a salt and the path behind the signature, in
  /// Base64 for URLs.
  public struct URLSigner: Sendable {
    /// A key and a salt; both are secret.
    public struct Pair: Sendable, Hashable {
      public var key: [UInt8]
      public var salt: [UInt8]

      public init(key: [UInt8], salt: [UInt8]) {
        self.key = key
        self.salt = salt
      }

      /// Creates a signer from hexadecimal digits; `nil` for anything else and for empty texts.
      public init?(hexKey: String, hexSalt: String) {
        guard let key = PercentEncoding.bytes(hexadecimal: hexKey),
          let salt = PercentEncoding.bytes(hexadecimal: hexSalt)
        else { return nil }
        self.init(key: key, salt: salt)
      }
    }

    private let pairs: [(key: SymmetricKey, salt: [UInt8])]
    /// Bytes of the signature that are written and compared.
    private let size: Int

    /// - Parameters:
    ///   - pairs: at least one. The first signs; the signatures of all are good, so that keys can be changed.
    ///   - size: bytes of the signature, from 8 to 32. Shorter URLs are easier to forge.
    public init(_ pairs: [Pair], size: Int = 32) {
      precondition(!pairs.isEmpty, "a signer needs a key and a salt")
      self.pairs = pairs.map { (SymmetricKey(data: $0.key), $0.salt) }
      self.size = min(max(size, 8), 32)
    }

    /// The signature of a path: of all that is behind the signature, with its slash.
    public func signature(of signedPath: String) -> String {
      Base64URL.encode(code(of: signedPath, pairs[0]))
    }

    /// The URL with its signature in place.
    public func sign(_ url: ImageURL) -> ImageURL {
      var signed = url
      signed.signature = signature(of: url.signedPath)
      return signed
    }

    /// Returns `true` if a URL has the signature of one of the pairs. How long that takes tells nothing about the
    /// signature that it ought to have.
    public func isSigned(_ url: ImageURL) -> Bool {
      guard let signature = Base64URL.decode(url.signature.utf8), signature.count == size else { return false }
      var isGood = false
      for pair in pairs {
        let difference = zip(signature, code(of: url.signedPath, pair)).reduce(0) { $0 | ($1.0 ^ $1.1) }
        // All pairs are tried, whichever it is.
        isGood = (difference == 0) || isGood
      }
      return isGood
    }

    private func code(of path: String, _ pair: (key: SymmetricKey, salt: [UInt8])) -> [UInt8] {
      var hmac = HMAC<SHA256>(key: pair.key)
      hmac.update(data: pair.salt)
      hmac.update(data: Array(path.utf8))
      return Array(hmac.finalize().prefix(size))
    }
  }

  /// Verifies the signatures of URLs.
  public struct URLVerifier: Sendable {
    /// `nil` if nothing is signed.
    public var signer: URLSigner?
    /// A Boolean value that indicates whether "unsafe" and "insecure" stand for a signature.
    public var allowsUnsigned: Bool

    public init(signer: URLSigner?, allowsUnsigned: Bool = false) {
      self.signer = signer
      self.allowsUnsigned = allowsUnsigned
    }

    /// - Throws: ``ServingError/wrongSignature``.
    public func verify(_ url: ImageURL) throws(ServingError) {
      if allowsUnsigned, url.signature == "unsafe" || url.signature == "insecure" { return }
      guard let signer, signer.isSigned(url) else { throw .wrongSignature }
    }
  }
#endif
