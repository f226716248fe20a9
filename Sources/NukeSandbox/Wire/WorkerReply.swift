import Foundation
import NukeCodecs
import NukeServing

/// The reply of a worker. Readers must not trust it: the author of an image may control the worker.
enum WorkerReply: Sendable, Equatable {
  enum Kind: UInt32, Sendable {
    case ready = 1
    case plan = 2
    case file = 3
    case source = 4
    case facts = 5
    case error = 6
  }

  case ready(Readiness)
  /// The predicted maximum of memory for decoded images, in bytes.
  case plan(decodedBytes: Int)
  case file(RenderedFile, RenderTimes)
  /// The source must be sent unchanged. Contains its format.
  case source(ImageFormat)
  case facts(ImageFacts)
  case error(ServingError)

  /// The state of a worker after it was sandboxed.
  struct Readiness: Sendable, Equatable, Codable {
    /// `true` if the worker can read the font folders.
    var readsFonts: Bool
    /// The reason why it cannot.
    var reason: String
  }

  var kind: Kind {
    switch self {
    case .ready: .ready
    case .plan: .plan
    case .file: .file
    case .source: .source
    case .facts: .facts
    case .error: .error
    }
  }

  /// The maximum size of a reply without a file, in bytes.
  static let smallLimit = 64 << 10
  fileprivate static let reasonLimit = 1000
  static let plainText = "text/plain; charset=utf-8"

  /// The fields that precede the bytes of a rendered file in a reply.
  private struct FileFields: Codable {
    var contentType: String
    var times: RenderTimes
    var sizes: RenditionSizes?
  }

  // MARK: Used by workers

  /// The bytes after the header.
  var payload: Data {
    switch self {
    case .ready(let readiness): return FrameCoding.encode(readiness)
    case .plan(let decodedBytes): return FrameCoding.encode(decodedBytes)
    case .file(let file, let times):
      let fields = FrameCoding.encode(
        FileFields(contentType: file.contentType, times: times, sizes: file.sizes))
      var payload = Data(capacity: 4 + fields.count + file.data.count)
      withUnsafeBytes(of: UInt32(fields.count).littleEndian) { payload.append(contentsOf: $0) }
      payload.append(fields)
      payload.append(file.data)
      return payload
    case .source(let format): return FrameCoding.encode(format)
    case .facts(let facts): return FrameCoding.encode(facts)
    case .error(let error): return FrameCoding.encode(WorkerFailure(error))
    }
  }

  // MARK: Used by the server

  /// - Parameters:
  ///   - bytes: at most ``byteLimit(of:fileLimit:)`` of the kind.
  ///   - limit: the maximum size of a file, in bytes.
  init(_ kind: Kind, _ bytes: Data, limit: Int) throws(WorkerError) {
    switch kind {
    case .ready:
      var readiness = try FrameCoding.decode(Readiness.self, from: bytes)
      readiness.reason = readiness.reason.inOneLine(limit: Self.reasonLimit)
      self = .ready(readiness)
    case .plan:
      let decodedBytes = try FrameCoding.decode(Int.self, from: bytes)
      guard decodedBytes >= 0 else { throw WorkerError("a plan of \(decodedBytes) bytes") }
      self = .plan(decodedBytes: decodedBytes)
    case .file: self = try Self.file(bytes, limit: limit)
    case .source: self = .source(try FrameCoding.decode(ImageFormat.self, from: bytes))
    case .facts: self = .facts(try FrameCoding.decode(ImageFacts.self, from: bytes))
    case .error: self = .error(try FrameCoding.decode(WorkerFailure.self, from: bytes).error)
    }
  }

  private static func file(_ bytes: Data, limit: Int) throws(WorkerError) -> WorkerReply {
    guard bytes.count >= 4 else { throw WorkerError("a file without fields") }
    let count = bytes.withUnsafeBytes { Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }
    let body = bytes.dropFirst(4)
    guard count <= body.count else { throw WorkerError("fields of \(count) bytes, but only \(body.count) are left") }
    let fields = try FrameCoding.decode(FileFields.self, from: body.prefix(count))
    let type = fields.contentType
    guard fields.times.isValid else { throw WorkerError("a stage with an invalid duration") }
    guard fields.sizes?.isValid ?? true else { throw WorkerError("an image with an impossible size") }
    guard type == plainText || ImageFormat.writable.contains(where: { $0.mediaType == type }) else {
      throw WorkerError("a file of a type that cannot be written")
    }
    // A copy, so that its indices begin at zero.
    let data = Data(body.dropFirst(count))
    guard data.count <= limit else { throw WorkerError("a file of \(data.count) bytes") }
    return .file(RenderedFile(data: data, contentType: type, sizes: fields.sizes), fields.times)
  }

  /// Returns the maximum size of a reply of the kind.
  static func byteLimit(of kind: Kind, fileLimit: Int) -> Int {
    kind == .file ? fileLimit + 1000 : smallLimit
  }
}

/// The error of a worker as it is sent.
struct WorkerFailure: Codable {
  var name: String
  var reason = ""
  /// The seconds after which to retry.
  var seconds = 0
}

extension WorkerFailure {
  /// The errors that rendering can throw. Every other error becomes ``ServingError/failed(_:)``.
  init(_ error: ServingError) {
    switch error {
    case .tooLarge(let reason), .notAnImage(let reason), .cannotWrite(let reason), .failed(let reason):
      self.init(name: error.name, reason: reason)
    case .overloaded(let seconds): self.init(name: error.name, seconds: seconds)
    default: self.init(name: "failed", reason: error.description)
    }
    reason = String(reason.prefix(WorkerReply.reasonLimit / 4))
  }

  /// The error for the server. A worker must not be able to produce errors about signatures or sources.
  var error: ServingError {
    get throws(WorkerError) {
      let line = reason.inOneLine(limit: WorkerReply.reasonLimit)
      switch name {
      case "tooLarge": return .tooLarge(line)
      case "notAnImage": return .notAnImage(line)
      case "failed": return .failed(line)
      case "cannotWrite":
        // Clients see this text, so only a format name is accepted.
        guard ImageFormat.allCases.contains(where: { $0.displayName == line }) else {
          throw WorkerError("an error about an unknown format")
        }
        return .cannotWrite(line)
      case "overloaded":
        guard 0...60 ~= seconds else { throw WorkerError("an error with \(seconds) seconds") }
        return .overloaded(retryAfter: seconds)
      default: throw WorkerError("an error that workers do not report")
      }
    }
  }
}

extension String {
  /// Returns the text as one line for logs, without terminal control characters.
  fileprivate func inOneLine(limit: Int) -> String {
    var line = ""
    for scalar in unicodeScalars.prefix(limit) {
      line.unicodeScalars.append(scalar.isPrinted ? scalar : " ")
    }
    return line
  }
}

/// The durations of the stages of an image in a worker, in seconds.
struct RenderTimes: Sendable, Equatable, Codable {
  var decode = 0.0
  var process = 0.0
  var encode = 0.0

  /// `true` if the values are possible durations. A compromised worker can send any value.
  var isValid: Bool { [decode, process, encode].allSatisfy { $0 >= 0 && $0.isFinite } }

  mutating func add(_ stage: ServiceStatistics.Stage, _ seconds: Double) {
    switch stage {
    case .decode: decode += seconds
    case .process: process += seconds
    case .encode: encode += seconds
    default: break
    }
  }

  /// Reports the times to ``RenderStages``, limited to the total duration that the server measured.
  func note(within seconds: Double) {
    let (decode, process, encode) = (min(decode, seconds), min(process, seconds), min(encode, seconds))
    RenderStages.note(.decode, seconds: decode, ago: process + encode)
    RenderStages.note(.process, seconds: process, ago: encode)
    RenderStages.note(.encode, seconds: encode)
  }
}
