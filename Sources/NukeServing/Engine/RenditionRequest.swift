public import Foundation
public import NukeCodecs

/// One answer that a server is to make: a source, what is to be made of it, and in which format.
///
/// All that a client may negotiate is negotiated: equal requests have equal answers, byte for byte.
public struct RenditionRequest: Sendable, Hashable {
  /// `http`, `https`, `local` or `s3`.
  public var source: URL
  public var options: ImageOptions
  /// The format to write; `nil` for the source's own where it can be written, else JPEG, or PNG with transparency.
  public var format: ImageFormat?
  /// The format to write where the source moves and may go on moving; `nil` for ``format``, which may show one frame
  /// alone.
  public var movingFormat: ImageFormat?
  /// The kind of result.
  public var output = Output.image

  public enum Output: Sendable, Hashable {
    /// An image, or a text that stands for one.
    case image
    /// The facts in the header of the source, as JSON: ``ImageFacts``. Options and format do not count.
    case facts
  }

  public init(
    source: URL, options: ImageOptions = ImageOptions(), format: ImageFormat? = nil, movingFormat: ImageFormat? = nil
  ) {
    self.source = source
    self.options = options
    self.format = format
    self.movingFormat = movingFormat
  }

  /// A request for what is to be known of an image without seeing it.
  public static func facts(of source: URL) -> RenditionRequest {
    var request = RenditionRequest(source: source)
    request.output = .facts
    return request
  }
}
