import Foundation
import NukeCodecs
import NukeServing

/// What a worker is asked, as it is sent. A sealed file with the source goes with it.
struct WorkerOrder: Sendable {
  enum Kind: UInt32, Sendable {
    /// What the worker is; the first one. The file has the watermark's pixels.
    case setUp = 1
    /// What an image would take.
    case plan = 2
    /// An image's file.
    case render = 3
    /// What is to be known of an image.
    case facts = 4
  }

  let kind: Kind
  let payload: Data

  /// The longest payload that a worker takes.
  static let payloadLimit = 1 << 20

  /// - Parameter sourceCount: bytes of the source.
  init(_ kind: Kind, _ request: RenditionRequest, sourceCount: Int) {
    self.kind = kind
    payload = FieldWriter.bytes { (writer) throws(MalformedFrame) in
      var (count, options, format, moving) = (
        sourceCount, request.options.ofFile, request.format, request.movingFormat
      )
      try writer.code(&count)
      try writer.code(&options)
      try writer.codeOptional(&format)
      try writer.codeOptional(&moving)
    }
  }

  init(_ settings: WorkerSettings) {
    kind = .setUp
    payload = FieldWriter.bytes { (writer) throws(MalformedFrame) in
      var settings = settings
      try writer.code(&settings)
    }
  }

  /// The request as it arrives. Where the source is from is not told.
  static func request(in payload: Data) throws(MalformedFrame) -> (request: RenditionRequest, sourceCount: Int) {
    var reader = FieldReader(payload)
    var (count, options, format, moving) = (0, ImageOptions(), ImageFormat?.none, ImageFormat?.none)
    try reader.code(&count)
    try reader.code(&options)
    try reader.codeOptional(&format)
    try reader.codeOptional(&moving)
    try reader.end()
    let request = RenditionRequest(source: Self.unknownSource, options: options, format: format, movingFormat: moving)
    return (request, count)
  }

  private static let unknownSource = URL(fileURLWithPath: "/")
}
