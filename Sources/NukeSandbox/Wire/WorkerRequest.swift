import Foundation
import NukeCodecs
import NukeServing

/// A request to a worker. A sealed file with the source is sent with it.
struct WorkerRequest: Sendable {
  enum Kind: UInt32, Sendable {
    /// Sends the settings, as the first request. The file contains the pixels of the watermark.
    case setUp = 1
    /// Requests the memory that rendering needs.
    case plan = 2
    /// Requests the rendered file.
    case render = 3
    /// Requests the facts about an image.
    case facts = 4
  }

  private(set) var kind: Kind
  let payload: Data

  /// The maximum size of a payload, in bytes.
  static let payloadLimit = 1 << 20

  /// The parts of a request that affect the file. URLs are not sent to workers.
  private struct Fields: Codable {
    var sourceCount: Int
    /// The size of the watermark, which follows the source in the file; `nil` for the worker's own watermark.
    var watermarkCount: Int?
    var options: ImageOptions
    var format: ImageFormat?
    var movingFormat: ImageFormat?
  }

  /// - Parameters:
  ///   - sourceCount: the size of the source in bytes.
  ///   - watermarkCount: the size of the watermark, which follows the source; `nil` for the worker's own watermark.
  init(_ kind: Kind, _ request: RenditionRequest, sourceCount: Int, watermarkCount: Int? = nil) {
    self.kind = kind
    var options = request.options.ofFile
    (options.cacheBuster, options.watermarkSource, options.sourceHash) = (nil, nil, nil)
    payload = FrameCoding.encode(
      Fields(
        sourceCount: sourceCount, watermarkCount: watermarkCount, options: options, format: request.format,
        movingFormat: request.movingFormat))
  }

  init(_ settings: WorkerSettings) {
    kind = .setUp
    payload = FrameCoding.encode(settings)
  }

  /// Returns a request of another kind for the same image and source.
  func with(_ kind: Kind) -> WorkerRequest {
    var request = self
    request.kind = kind
    return request
  }

  /// A request as the worker receives it, without URLs.
  struct Received {
    let request: RenditionRequest
    let sourceCount: Int
    let watermarkCount: Int?
  }

  static func request(in payload: Data) throws(WorkerError) -> Received {
    let fields = try FrameCoding.decode(Fields.self, from: payload)
    let request = RenditionRequest(
      source: Self.unknownSource, options: fields.options, format: fields.format, movingFormat: fields.movingFormat)
    return Received(request: request, sourceCount: fields.sourceCount, watermarkCount: fields.watermarkCount)
  }

  private static let unknownSource = URL(fileURLWithPath: "/")
}
