import Foundation
import FoundationNetworking

/// Who a request is for caches and coalescing, with every hash worked out once.
///
/// One object answers for the data, for the decoded original and for each prefix of the chain of processors, so that
/// a look-up makes no new strings.
final class RequestIdentity: @unchecked Sendable {
  /// What decides the bytes of the original.
  let imageID: String
  /// What of an explicit `URLRequest` may change the answer beside its URL.
  let transfer: Transfer?
  let scale: CGFloat?
  let thumbnail: ImageRequest.ThumbnailOptions?
  /// The identifiers of all processors, in order; those of Sendable processors, which `AnyHashable` cannot say.
  let processors: [AnyHashable]
  /// Distinguishes a key made of a plain string from that of a request.
  let isCustomKey: Bool

  /// Hash of what decides the data.
  let dataHash: Int
  /// Hashes of the original and of each longer chain: `imageHashes[n]` has `n` processors.
  let imageHashes: [Int]

  struct Transfer: Hashable, Sendable {
    let method: String?
    let headers: [String: String]?
    let body: Data?

    /// Nil for a plain GET, which is what a URL alone stands for.
    init?(_ request: URLRequest) {
      let method = request.httpMethod == "GET" ? nil : request.httpMethod
      let headers = request.allHTTPHeaderFields.flatMap { $0.isEmpty ? nil : $0 }
      if method == nil, headers == nil, request.httpBody == nil { return nil }
      self.method = method
      self.headers = headers
      body = request.httpBody
    }
  }

  init(_ request: ImageRequest.Storage) {
    imageID = request.imageID ?? request.resource.id ?? ""
    transfer =
      if case .urlRequest(let request) = request.resource {
        Transfer(request)
      } else {
        nil
      }
    scale = request.scale
    thumbnail = request.thumbnail?.normalized
    processors = request.processors.map(\.hashableIdentifier)
    isCustomKey = false

    dataHash = Self.hash(imageID, transfer)
    var hasher = Hasher()
    hasher.combine(imageID)
    if let scale { hasher.combine(scale) }
    if let thumbnail { hasher.combine(thumbnail) }
    if processors.isEmpty {
      imageHashes = [hasher.finalize()]
    } else {
      var hashes = [hasher.finalize()]
      for processor in processors {
        var next = Hasher()
        next.combine(hashes[hashes.count - 1])
        next.combine(processor)
        hashes.append(next.finalize())
      }
      imageHashes = hashes
    }
  }

  /// The identity of a picture that a program names itself.
  init(customKey: String) {
    imageID = customKey
    transfer = nil
    scale = nil
    thumbnail = nil
    processors = []
    isCustomKey = true
    var hasher = Hasher()
    hasher.combine(customKey)
    dataHash = hasher.finalize()
    imageHashes = [dataHash ^ 1]
  }

  /// The identity of a picture that a program names by any value, which stands in place of a processor.
  init(customKey: AnyHashable) {
    imageID = ""
    transfer = nil
    scale = nil
    thumbnail = nil
    processors = [customKey]
    isCustomKey = true
    dataHash = 1
    imageHashes = [1, customKey.hashValue]
  }

  private static func hash(_ imageID: String, _ transfer: Transfer?) -> Int {
    var hasher = Hasher()
    hasher.combine(imageID)
    if let transfer { hasher.combine(transfer) }
    return hasher.finalize()
  }

  /// Whether both ask for the same bytes.
  func hasSameData(as other: RequestIdentity) -> Bool {
    self === other
      || (dataHash == other.dataHash && imageID == other.imageID && transfer == other.transfer
        && isCustomKey == other.isCustomKey)
  }

  /// Whether both stand for the same picture in the caches after the first `count` processors.
  func hasSameImage(as other: RequestIdentity, processorCount count: Int) -> Bool {
    if self === other { return true }
    guard imageHashes[count] == other.imageHashes[count], imageID == other.imageID, scale == other.scale,
      isCustomKey == other.isCustomKey, thumbnail == other.thumbnail
    else { return false }
    for index in 0..<count where processors[index] != other.processors[index] { return false }
    return true
  }
}
