import Foundation
import NukeCodecs
import NukeServing

/// A request to a worker. A sealed file with the source is sent with it.
struct WorkerOrder: Sendable {
  enum Kind: UInt32, Sendable {
    /// Sends the settings; the first order. The file has the watermark's pixels.
    case setUp = 1
    /// Asks how much memory rendering needs.
    case plan = 2
    /// Asks for the rendered file.
    case render = 3
    /// Asks for the facts about an image.
    case facts = 4
  }

  private(set) var kind: Kind
  let payload: Data

  /// The maximum size of a payload, in bytes.
  static let payloadLimit = 1 << 20

  /// The parts of a request that affect the file. The source's URL is not sent to workers.
  private struct Fields: Codable {
    var sourceCount: Int
    var options: ImageOptions
    var format: ImageFormat?
    var movingFormat: ImageFormat?
  }

  /// - Parameter sourceCount: the size of the source in bytes.
  init(_ kind: Kind, _ request: RenditionRequest, sourceCount: Int) {
    self.kind = kind
    var options = request.options.ofFile
    options.cacheBuster = nil
    payload = FrameCoding.encode(
      Fields(
        sourceCount: sourceCount, options: options, format: request.format,
        movingFormat: request.movingFormat))
  }

  init(_ settings: WorkerSettings) {
    kind = .setUp
    payload = FrameCoding.encode(settings)
  }

  /// Returns another order for the same request and source.
  func with(_ kind: Kind) -> WorkerOrder {
    var order = self
    order.kind = kind
    return order
  }

  /// Returns the request as the worker receives it, without the source's URL.
  static func request(in payload: Data) throws(MalformedFrame) -> (request: RenditionRequest, sourceCount: Int) {
    let fields = try FrameCoding.decode(Fields.self, from: payload)
    let request = RenditionRequest(
      source: Self.unknownSource, options: fields.options, format: fields.format, movingFormat: fields.movingFormat)
    return (request, fields.sourceCount)
  }

  private static let unknownSource = URL(fileURLWithPath: "/")
}
