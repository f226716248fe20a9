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

  /// It is locked in; whether it reads the folders for fonts, and else why not.
  case ready(readsFonts: Bool, reason: String)
  /// Bytes of decoded images that a file takes at most.
  case plan(decodedBytes: Int)
  case file(RenderedFile, RenderTimes)
  /// The source is sent as it is, and what it is.
  case source(ImageFormat)
  /// JSON of ``ImageFacts``.
  case facts(Data)
  case error(ServingError)

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

  /// The maximum size of everything but files, in bytes.
  static let smallLimit = 64 << 10
  private static let reasonLimit = 1000
  static let plainText = "text/plain; charset=utf-8"

  // MARK: The worker's side

  /// The bytes after the header.
  var payload: Data {
    FieldWriter.bytes { (writer) throws(MalformedFrame) in
      switch self {
      case .ready(var readsFonts, var reason):
        try writer.code(&readsFonts)
        try writer.code(&reason)
      case .plan(var decodedBytes): try writer.code(&decodedBytes)
      case .file(let file, var times):
        var (type, data) = (file.contentType, file.data)
        try writer.code(&times)
        try writer.code(&type)
        try writer.code(&data)
      case .source(var format): try writer.code(&format)
      case .facts(var json): try writer.code(&json)
      case .error(let error):
        var (name, text, seconds) = error.parts
        text = String(text.prefix(Self.reasonLimit / 4))
        try writer.code(&name)
        try writer.code(&text)
        try writer.code(&seconds)
      }
    }
  }

  // MARK: The server's side

  /// - Parameters:
  ///   - bytes: no more than was allowed for the kind.
  ///   - limit: the most bytes of a file.
  init(_ kind: Kind, _ bytes: Data, limit: Int) throws(MalformedFrame) {
    var reader = FieldReader(bytes)
    switch kind {
    case .ready:
      var (readsFonts, reason) = (false, "")
      try reader.code(&readsFonts)
      try reader.code(&reason)
      self = .ready(readsFonts: readsFonts, reason: reason.inOneLine(limit: Self.reasonLimit))
    case .plan:
      var decodedBytes = 0
      try reader.code(&decodedBytes)
      guard decodedBytes >= 0 else { throw MalformedFrame("a plan of \(decodedBytes) bytes") }
      self = .plan(decodedBytes: decodedBytes)
    case .file:
      var (times, type, data) = (RenderTimes(), "", Data())
      try reader.code(&times)
      try reader.code(&type)
      try reader.code(&data)
      guard type == Self.plainText || ImageFormat.writable.contains(where: { $0.mediaType == type }) else {
        throw MalformedFrame("a file of a type that is not written")
      }
      guard data.count <= limit else { throw MalformedFrame("a file of \(data.count) bytes") }
      self = .file(RenderedFile(data: data, contentType: type), times)
    case .source:
      var format = ImageFormat.jpeg
      try reader.code(&format)
      self = .source(format)
    case .facts:
      var json = Data()
      try reader.code(&json)
      self = .facts(json)
    case .error:
      var (name, text, seconds) = ("", "", 0)
      try reader.code(&name)
      try reader.code(&text)
      try reader.code(&seconds)
      self = .error(try ServingError(workers: name, text.inOneLine(limit: Self.reasonLimit), seconds))
    }
    try reader.end()
  }

  /// Returns the maximum size of a reply of the kind.
  static func byteLimit(of kind: Kind, fileLimit: Int) -> Int {
    kind == .file ? fileLimit + 1000 : smallLimit
  }
}

extension String {
  /// For logs: nothing in it steers a terminal or begins a line.
  func inOneLine(limit: Int) -> String {
    var line = ""
    for scalar in unicodeScalars.prefix(limit) {
      line.unicodeScalars.append(scalar.properties.generalCategory.isPrinted ? scalar : " ")
    }
    return line
  }
}

extension Unicode.GeneralCategory {
  fileprivate var isPrinted: Bool {
    switch self {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}

extension ServingError {
  /// The errors that making an image ends with: the name, the reason, and seconds to wait.
  fileprivate var parts: (name: String, reason: String, seconds: Int) {
    switch self {
    case .tooLarge(let reason), .notAnImage(let reason), .cannotWrite(let reason), .failed(let reason):
      (name, reason, 0)
    case .overloaded(let seconds): (name, "", seconds)
    default: ("failed", description, 0)
    }
  }

  /// Takes none but these from a worker: it has no say about signatures or sources.
  fileprivate init(workers name: String, _ reason: String, _ seconds: Int) throws(MalformedFrame) {
    switch name {
    case "tooLarge": self = .tooLarge(reason)
    case "notAnImage": self = .notAnImage(reason)
    case "failed": self = .failed(reason)
    case "cannotWrite":
      // Strangers are told the format.
      guard ImageFormat.allCases.contains(where: { $0.displayName == reason }) else {
        throw MalformedFrame("an error about a format that is not known")
      }
      self = .cannotWrite(reason)
    case "overloaded":
      guard 0...60 ~= seconds else { throw MalformedFrame("an error with \(seconds) seconds") }
      self = .overloaded(retryAfter: seconds)
    default: throw MalformedFrame("an error that is not a worker's")
    }
  }
}
