import Foundation

#if Server
  import NukeCrypto
#endif

/// The expected hash of a source's file.
public struct SourceHash: Sendable, Hashable, Codable {
  /// The name of an algorithm in URLs.
  public enum Algorithm: String, Sendable, Hashable, CaseIterable, Codable {
    case md5, sha1, sha256, sha512

    /// The size of the hash in bytes.
    public var byteCount: Int {
      switch self {
      case .md5: 16
      case .sha1: 20
      case .sha256: 32
      case .sha512: 64
      }
    }

    /// The name for people.
    var displayName: String { rawValue.uppercased().replacing("SHA", with: "SHA-") }
  }

  public let algorithm: Algorithm
  public let bytes: [UInt8]

  /// Returns `nil` if the number of bytes is not that of the algorithm.
  public init?(_ algorithm: Algorithm, _ bytes: [UInt8]) {
    guard bytes.count == algorithm.byteCount else { return nil }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// Throws if the data has another hash.
  ///
  /// - Throws: ``ServingError/wrongHash(_:)``.
  func check(_ data: Data) throws(ServingError) {
    guard hash(of: data) == bytes else { throw .wrongHash(algorithm.displayName) }
  }

  /// Returns `nil` if the build has no such algorithm.
  private func hash(of data: Data) -> [UInt8]? {
    #if Server
      let digest: MessageDigest =
        switch algorithm {
        case .md5: .md5
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha512: .sha512
        }
      return digest.hash(of: data)
    #else
      return nil
    #endif
  }
}
