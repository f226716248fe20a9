#if Server
  import CNukeCrypto
  package import Foundation

  /// An algorithm that hashes data.
  package enum MessageDigest {
    case md5, sha1, sha256, sha512

    /// Returns the hash of data; `nil` if libcrypto does not offer the algorithm.
    package func hash(of data: Data) -> [UInt8]? {
      let digest =
        switch self {
        case .md5: EVP_md5()
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        case .sha512: EVP_sha512()
        }
      var hash = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var size: CUnsignedInt = 0
      let isComputed = data.withUnsafeBytes { EVP_Digest($0.baseAddress, $0.count, &hash, &size, digest, nil) == 1 }
      return isComputed ? Array(hash.prefix(Int(size))) : nil
    }
  }
#endif
