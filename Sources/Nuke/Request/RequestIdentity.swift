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
  /// Distinguishes a key made of a plain string from that of a request.
  let isCustomKey: Bool
  let processorCount: Int

  /// Hash of what decides the data.
  let dataHash: Int
  /// Hash of the picture before any processor.
  private let originalHash: Int
  private let ownChain: ProcessorChain?
  /// The chain of another identity, which was found equal.
  private let adoptedChain = OnceReference<ProcessorChain>()

  struct Transfer: Hashable, Sendable {
    let method: String?
    let headers: [String: String]?
    let body: Data?
    let cachePolicy: URLRequest.CachePolicy
    let allowsCellularAccess: Bool

    /// Nil for a plain GET with the default cache policy, which is what a URL alone stands for.
    init?(_ request: URLRequest) {
      let method = request.httpMethod == "GET" ? nil : request.httpMethod
      let headers = request.allHTTPHeaderFields.flatMap { $0.isEmpty ? nil : $0 }
      if method == nil, headers == nil, request.httpBody == nil, request.cachePolicy == .useProtocolCachePolicy,
        request.allowsCellularAccess
      {
        return nil
      }
      self.method = method
      self.headers = headers
      body = request.httpBody
      cachePolicy = request.cachePolicy
      allowsCellularAccess = request.allowsCellularAccess
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
    isCustomKey = false
    ownChain = ProcessorChain(request.processors)
    processorCount = ownChain?.processors.count ?? 0

    // The text is hashed once; what most requests do not have is hashed where it is there.
    let hash = imageID.hashValue
    dataHash = transfer.map { Self.mixed(hash, $0.hashValue) } ?? hash
    if scale == nil, thumbnail == nil {
      originalHash = hash
    } else {
      var hasher = Hasher()
      hasher.combine(hash)
      hasher.combine(scale)
      hasher.combine(thumbnail)
      originalHash = hasher.finalize()
    }
  }

  /// The identity of a picture that a program names itself.
  init(customKey: String) {
    imageID = customKey
    transfer = nil
    scale = nil
    thumbnail = nil
    isCustomKey = true
    ownChain = nil
    processorCount = 0
    dataHash = customKey.hashValue
    originalHash = dataHash ^ 1
  }

  /// The identity of a picture that a program names by any value, which stands in place of a processor.
  init(customKey: AnyHashable) {
    imageID = ""
    transfer = nil
    scale = nil
    thumbnail = nil
    isCustomKey = true
    ownChain = ProcessorChain(identifiers: [customKey])
    processorCount = 1
    dataHash = 1
    originalHash = 1
  }

  /// The identifiers of all processors, in order.
  var processors: [AnyHashable] { ownChain?.processors ?? [] }

  /// Hash of the picture after the first `count` processors.
  func imageHash(processorCount count: Int) -> Int {
    guard count > 0, let ownChain else { return originalHash }
    return Self.mixed(originalHash, ownChain.hash(ofFirst: count))
  }

  /// Both are hashes already, so that one step of SplitMix64 is enough.
  private static func mixed(_ first: Int, _ second: Int) -> Int {
    var bits = UInt64(bitPattern: Int64(first)) &* 3 &+ UInt64(bitPattern: Int64(second))
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    return Int(truncatingIfNeeded: bits ^ (bits >> 31))
  }

  /// Whether both ask for the same bytes.
  func hasSameData(as other: RequestIdentity) -> Bool {
    self === other
      || (dataHash == other.dataHash && imageID == other.imageID && transfer == other.transfer
        && isCustomKey == other.isCustomKey)
  }

  /// Whether both stand for the same picture in the caches after the first `count` processors. May run code of the
  /// program's, as processors are compared.
  func hasSameImage(as other: RequestIdentity, processorCount count: Int) -> Bool {
    likeness(to: other, processorCount: count).isSame ?? hasSameProcessors(as: other, count: count)
  }
}

extension RequestIdentity {
  /// What can be said without comparing processors.
  enum Likeness {
    case same
    case different
    /// Equal but for the processors, which have equal hashes.
    case unsure

    var isSame: Bool? {
      switch self {
      case .same: true
      case .different: false
      case .unsure: nil
      }
    }
  }

  /// Compares what can be compared under a lock, for two pictures whose hashes are equal.
  func likeness(to other: RequestIdentity, processorCount count: Int) -> Likeness {
    if self === other { return .same }
    guard imageID == other.imageID, scale == other.scale, isCustomKey == other.isCustomKey,
      thumbnail == other.thumbnail, count <= processorCount, count <= other.processorCount,
      imageHash(processorCount: count) == other.imageHash(processorCount: count)
    else { return .different }
    return count == 0 || chainAddress == other.chainAddress ? .same : .unsure
  }

  /// Compares processors, with code of the program's. Identities that were found equal know each other from then on.
  func hasSameProcessors(as other: RequestIdentity, count: Int) -> Bool {
    guard let chain = ownChain, let otherChain = other.ownChain else { return count == 0 }
    guard chain.begins(like: otherChain, count: count) else { return false }
    if count == processorCount, count == other.processorCount {
      let shared = adoptedChain.load() ?? adoptedChain.storeIfNil(other.adoptedChain.load() ?? otherChain)
      _ = other.adoptedChain.storeIfNil(shared)
    }
    return true
  }

  /// Equal for identities that are known to have equal processors.
  private var chainAddress: UInt {
    let adopted = adoptedChain.address
    if adopted != 0 { return adopted }
    return ownChain.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
  }
}
