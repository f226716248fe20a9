import Foundation
import FoundationNetworking
import NukeCodecs
import NukeHTTP

/// The identity of a request for caching and coalescing, with precomputed hashes.
///
/// It identifies the data, the decoded original, and the result of each prefix of the processors, so that a look-up
/// creates no strings. Names are compared byte by byte.
struct RequestIdentity: @unchecked Sendable {
  /// One memory block: these fields, followed by the bytes of the key. Each further block could cause a cache miss in
  /// the processor, which takes longer than the rest of a look-up. Two keys are compared with one `memcmp`.
  typealias Buffer = ManagedBuffer<Fields, UInt8>

  struct Fields {
    /// The hash of the image without processors.
    fileprivate var imageHash: Int
    /// The number of bytes of the original's name.
    fileprivate let textCount: Int
    fileprivate let processorCount: Int32
    /// The number of 8-byte integers after the name, for the scale, the poster frame and the thumbnail if
    /// one of them is set.
    fileprivate let numberCount: UInt8
    /// `true` for a custom key, which never equals the key of a request.
    fileprivate let isCustomKey: Bool
    fileprivate let chain: ProcessorChain?
    /// The hash of everything that determines the data.
    fileprivate var dataHash: Int
    fileprivate let transfer: Box<Transfer>?

    fileprivate var byteCount: Int { textCount + Int(numberCount) * 8 }

    fileprivate func imageHash(processorCount count: Int) -> Int {
      guard count > 0, let chain else { return imageHash }
      return RequestIdentity.mixed(imageHash, chain.hash(ofFirst: count))
    }
  }

  /// The parts of a `URLRequest`, other than its URL, that may affect the response.
  struct Transfer: Hashable, Sendable {
    /// Fields that differ in each request of a traced program and describe only the caller (W3C Trace Context).
    private static let traceFields: Set<String> = ["traceparent", "tracestate"]

    let method: String?
    let headers: [String: String]?
    let body: Data?
    let cachePolicy: URLRequest.CachePolicy
    let allowsCellularAccess: Bool

    /// Returns `nil` for a plain GET with the default cache policy, which equals a request with only a URL.
    init?(_ request: URLRequest) {
      let method = request.httpMethod == "GET" ? nil : request.httpMethod
      let fields = request.allHTTPHeaderFields?.filter { !Self.traceFields.contains($0.key.lowercased()) }
      let headers = fields.flatMap { $0.isEmpty ? nil : $0 }
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

  /// Holds a value that few requests have, so that other requests need no memory for it.
  final class Box<Value: Sendable>: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  let buffer: Buffer

  init(buffer: Buffer) { self.buffer = buffer }

  init(_ request: ImageRequest.Storage) {
    var transfer: Box<Transfer>?
    if case .urlRequest(let urlRequest) = request.resource { transfer = Transfer(urlRequest).map(Box.init) }
    self.init(
      request.imageID ?? request.resource.id ?? "", numbers: request.keyNumbers, transfer: transfer,
      chain: ProcessorChain(request.processors))
  }

  /// Creates the identity of an image with a custom key.
  init(customKey: String) { self.init(customKey, isCustomKey: true, chain: nil) }

  /// Creates the identity of an image with a custom key of any type, which is stored in place of a processor.
  init(customKey: AnyHashable) {
    self.init("", isCustomKey: true, chain: ProcessorChain(identifiers: [customKey]))
  }

  private init(
    _ text: String, numbers: [UInt64] = [], isCustomKey: Bool = false, transfer: Box<Transfer>? = nil,
    chain: ProcessorChain?
  ) {
    var text = text
    buffer = text.withUTF8 { text in
      let byteCount = text.count + numbers.count * 8
      let buffer = Buffer.create(minimumCapacity: byteCount) { _ in
        Fields(
          imageHash: 0, textCount: text.count, processorCount: Int32(chain?.processors.count ?? 0),
          numberCount: UInt8(numbers.count), isCustomKey: isCustomKey, chain: chain, dataHash: 0,
          transfer: transfer)
      }
      buffer.withUnsafeMutablePointers { fields, bytes in
        if let start = text.baseAddress { bytes.initialize(from: start, count: text.count) }
        numbers.withUnsafeBytes { numbers in
          if let start = numbers.baseAddress {
            UnsafeMutableRawPointer(bytes + text.count).copyMemory(from: start, byteCount: numbers.count)
          }
        }
        // The bytes are hashed once. Optional values are hashed only if they are set.
        let hash = Self.hash(bytes, text.count)
        fields.pointee.dataHash = transfer.map { Self.mixed(hash, $0.value.hashValue) } ?? hash
        let imageHash = numbers.isEmpty ? hash : Self.hash(bytes, byteCount)
        fields.pointee.imageHash = isCustomKey ? imageHash ^ 1 : imageHash
      }
      return buffer
    }
  }

  private static func hash(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(start: bytes, count: count))
    return hasher.finalize()
  }

  var processorCount: Int { read { Int($0.processorCount) } }
  var isCustomKey: Bool { read { $0.isCustomKey } }
  /// The processors; `nil` if there are none.
  var chain: ProcessorChain? { read { $0.chain } }
  /// The identifiers of all processors, in order.
  var processors: [AnyHashable] { read { $0.chain?.processors ?? [] } }
  var dataHash: Int { read { $0.dataHash } }

  /// Returns the hash of the image after the first `count` processors.
  func imageHash(processorCount count: Int) -> Int { read { $0.imageHash(processorCount: count) } }

  /// Reads the fields in place. The buffer's `header` would check each access for exclusivity, although the fields do
  /// not change.
  @inline(__always)
  fileprivate func read<Result>(_ body: (borrowing Fields) -> Result) -> Result {
    buffer.withUnsafeMutablePointerToHeader { body($0.pointee) }
  }

  /// Combines two hashes with one step of SplitMix64, which is enough for values that are already hashed.
  fileprivate static func mixed(_ first: Int, _ second: Int) -> Int {
    var bits = UInt64(bitPattern: Int64(first)) &* 3 &+ UInt64(bitPattern: Int64(second))
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    return Int(truncatingIfNeeded: bits ^ (bits >> 31))
  }

  /// Returns `true` if both are the same object.
  static func === (lhs: RequestIdentity, rhs: RequestIdentity) -> Bool { lhs.buffer === rhs.buffer }

  /// Returns `true` if both identities have the same data.
  func hasSameData(as other: RequestIdentity) -> Bool {
    self === other
      || buffer.withUnsafeMutablePointers { fields, bytes in
        other.buffer.withUnsafeMutablePointers { others, otherBytes in
          fields.pointee.dataHash == others.pointee.dataHash
            && fields.pointee.isCustomKey == others.pointee.isCustomKey
            && fields.pointee.textCount == others.pointee.textCount
            && memcmp(bytes, otherBytes, fields.pointee.textCount) == 0
            && fields.pointee.transfer?.value == others.pointee.transfer?.value
        }
      }
  }

  /// Returns `true` if both identify the same image after the first `count` processors. May compare processors, which
  /// runs code of the program.
  func hasSameImage(as other: RequestIdentity, processorCount count: Int) -> Bool {
    isSameImage(as: other, processorCount: count) ?? hasSameProcessors(as: other, count: count)
  }
}

extension RequestIdentity {
  /// Compares everything that can be compared under a lock. Returns `nil` if the rest is equal, and the processors, which
  /// have equal hashes, must be compared.
  func isSameImage(as other: RequestIdentity, processorCount count: Int) -> Bool? {
    Self.isSameImage(buffer, other.buffer, processorCount: count)
  }

  static func isSameImage(_ first: Buffer, _ second: Buffer, processorCount count: Int) -> Bool? {
    if first === second { return true }
    return first.withUnsafeMutablePointers { fields, bytes in
      second.withUnsafeMutablePointers { others, otherBytes in
        guard
          fields.pointee.imageHash(processorCount: count) == others.pointee.imageHash(processorCount: count),
          count <= fields.pointee.processorCount, count <= others.pointee.processorCount,
          fields.pointee.isCustomKey == others.pointee.isCustomKey,
          fields.pointee.textCount == others.pointee.textCount,
          fields.pointee.numberCount == others.pointee.numberCount,
          memcmp(bytes, otherBytes, fields.pointee.byteCount) == 0
        else { return false }
        return count == 0 || fields.pointee.chain?.address == others.pointee.chain?.address ? true : nil
      }
    }
  }

  /// Compares the processors, which runs code of the program. Equal chains are marked, so that the next comparison is
  /// fast.
  func hasSameProcessors(as other: RequestIdentity, count: Int) -> Bool {
    guard let chain = read({ $0.chain }), let otherChain = other.read({ $0.chain }) else { return count == 0 }
    guard chain.begins(like: otherChain, count: count) else { return false }
    if count == processorCount, count == other.processorCount { chain.noteEqual(otherChain) }
    return true
  }
}

extension ImageRequest.Storage {
  /// The scale, the poster frame and the thumbnail as integers that are equal if the values are; empty if the request has
  /// none.
  fileprivate var keyNumbers: [UInt64] {
    guard hasRareProperties else { return [] }
    let (scale, thumbnail, posterFrame) = (scale, thumbnail, posterFrame)
    guard scale != nil || thumbnail != nil || posterFrame != .first else { return [] }
    return [scale.map { Double($0).bitPattern } ?? 0] + posterFrame.keyNumbers
      + (thumbnail?.normalized.keyNumbers ?? [])
  }
}

extension ImageRequest.ThumbnailOptions {
  fileprivate var keyNumbers: [UInt64] {
    let size: (width: CGFloat, height: CGFloat, mode: UInt64) =
      switch target {
      case .maxPixelSize(let side): (side, 0, 0)
      case .size(let width, let height, let mode): (width, height, mode == .aspectFill ? 1 : 2)
      }
    var switches = size.mode << 8 | UInt64(ImageProcessingOptions.Reduction.allCases.firstIndex(of: reduction) ?? 0)
    for (bit, isOn) in [
      createThumbnailFromImageIfAbsent, createThumbnailFromImageAlways, createThumbnailWithTransform,
    ].enumerated() where isOn {
      switches |= 1 << (16 + UInt64(bit))
    }
    return [Double(size.width).bitPattern, Double(size.height).bitPattern, switches]
  }
}
