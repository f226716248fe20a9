#if Server
  import NukeCrypto

  /// Signs and verifies URLs by imgproxy's scheme: the HMAC-SHA256, with a secret key, of a salt and the path after the
  /// signature, in URL-safe Base64.
  public struct URLSigner: Sendable {
    /// A key and a salt. Both are secret.
    public struct Pair: Sendable, Hashable {
      public var key: [UInt8]
      public var salt: [UInt8]

      public init(key: [UInt8], salt: [UInt8]) {
        self.key = key
        self.salt = salt
      }

      /// Creates a pair from hexadecimal digits; `nil` for other characters and empty texts.
      public init?(hexKey: String, hexSalt: String) {
        guard let key = PercentEncoding.bytes(hexadecimal: hexKey),
          let salt = PercentEncoding.bytes(hexadecimal: hexSalt)
        else { return nil }
        self.init(key: key, salt: salt)
      }
    }

    /// The kind of request that a signature permits. A signature for one kind is not valid for the others. The raw
    /// value is prepended to the path before it is signed.
    public enum Subject: String, Sendable, Hashable, CaseIterable {
      case image = ""
      /// The metadata of an image, at `/info/…`.
      case info = "/info"
      /// The removal of an image, by a DELETE request for its path.
      case purge = "/purge"

      /// The beginning of the path, before the signature.
      public var pathPrefix: String { self == .info ? rawValue : "" }
    }

    private let pairs: [Pair]
    /// The number of bytes of the signature that are written and compared.
    private let size: Int

    /// - Parameters:
    ///   - pairs: at least one pair. The first one signs. The signatures of all are valid, so that keys can be rotated.
    ///   - size: the size of the signature in bytes, from 8 to 32. Short signatures are easier to forge.
    public init(_ pairs: [Pair], size: Int = 32) {
      precondition(!pairs.isEmpty, "a signer needs a key and a salt")
      self.pairs = pairs
      self.size = min(max(size, 8), 32)
    }

    /// Returns the signature of a path: everything after the signature, including the leading slash.
    public func signature(of signedPath: String) -> String {
      Base64URL.encode(code(of: signedPath, pairs[0]))
    }

    /// Returns the URL with its signature.
    public func sign(_ url: ImageURL, for subject: Subject = .image) -> ImageURL {
      var signed = url
      signed.signature = signature(of: subject.rawValue + url.signedPath)
      return signed
    }

    /// Returns `true` if the signature is valid for one of the pairs. The time this takes reveals nothing about the
    /// expected signature.
    public func isSigned(_ url: ImageURL, for subject: Subject = .image) -> Bool {
      guard let signature = Base64URL.decode(url.signature.utf8), signature.count == size else { return false }
      var isGood = false
      for pair in pairs {
        let difference = zip(signature, code(of: subject.rawValue + url.signedPath, pair)).reduce(0) {
          $0 | ($1.0 ^ $1.1)
        }
        // All pairs are compared, so that the time is always the same.
        isGood = (difference == 0) || isGood
      }
      return isGood
    }

    private func code(of path: String, _ pair: Pair) -> [UInt8] {
      Array(HMACSHA256.code(of: pair.salt + path.utf8, key: pair.key).prefix(size))
    }
  }

  /// Verifies the signatures of URLs.
  public struct URLVerifier: Sendable {
    /// The signer; `nil` if URLs are not signed.
    public var signer: URLSigner?
    /// A Boolean value that indicates whether "unsafe" and "insecure" are accepted instead of a signature; without
    /// ``signer``, any text.
    public var allowsUnsigned: Bool
    /// Texts that are accepted instead of a signature, for any URL. Each is as secret as a key.
    public var trustedSignatures: Set<String>
    /// The signer of requests to purge images, whose keys should be others than those of ``signer``. If it is `nil`, the
    /// default, nothing can be purged. Neither ``allowsUnsigned`` nor ``trustedSignatures`` apply to purges.
    public var purgeSigner: URLSigner?
    /// The token that requests for images and metadata must have in the field `Authorization`, in addition to the
    /// signature; `nil` if they need none.
    public var bearerToken: String?

    public init(
      signer: URLSigner?, allowsUnsigned: Bool = false, trustedSignatures: Set<String> = [],
      purgeSigner: URLSigner? = nil, bearerToken: String? = nil
    ) {
      self.signer = signer
      self.allowsUnsigned = allowsUnsigned
      self.trustedSignatures = trustedSignatures
      self.purgeSigner = purgeSigner
      self.bearerToken = bearerToken
    }

    /// Returns `true` if a request may be answered. The time this takes reveals nothing about the token.
    ///
    /// - Parameter authorization: the field `Authorization` of the request (RFC 6750 §2.1); `nil` if it has none.
    public func accepts(authorization: @autoclosure () -> String?) -> Bool {
      guard let bearerToken else { return true }
      guard let field = authorization(), let space = field.firstIndex(of: " "),
        field[..<space].lowercased() == "bearer"
      else { return false }
      return HMACSHA256.areEqual(String(field[space...].drop { $0 == " " }), bearerToken)
    }

    /// Returns `true` if the URL was signed with a key, or contains a trusted signature.
    public func isSigned(_ url: ImageURL, for subject: URLSigner.Subject = .image) -> Bool {
      if subject == .purge { return purgeSigner?.isSigned(url, for: subject) ?? false }
      // All are compared as a whole, so that the time reveals nothing about them.
      let isTrusted = trustedSignatures.reduce(false) { isTrusted, signature in
        HMACSHA256.areEqual(signature, url.signature) || isTrusted
      }
      return isTrusted || signer?.isSigned(url, for: subject) ?? false
    }

    /// - Throws: ``ServingError/wrongSignature``.
    public func verify(_ url: ImageURL, for subject: URLSigner.Subject = .image) throws(ServingError) {
      if subject != .purge, allowsUnsigned, signer == nil || ["unsafe", "insecure"].contains(url.signature) { return }
      guard isSigned(url, for: subject) else { throw .wrongSignature }
    }
  }
#endif
