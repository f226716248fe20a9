public import Foundation
public import NukeCodecs

/// A request for one file: a source, the processing options, and the format.
///
/// Content negotiation has already taken place: equal requests have equal responses, byte for byte.
public struct RenditionRequest: Sendable, Hashable {
  /// The URL of the source, with the scheme `http`, `https`, `local` or `s3`.
  public var source: URL
  public var options: ImageOptions
  /// The format to write. If it is `nil`, that of a JPEG, PNG or GIF source; otherwise GIF for an animated image, PNG for
  /// one with transparent pixels, and JPEG for all others.
  public var format: ImageFormat?
  /// The format to write if the source is animated and the result can be; `nil` for ``format``, which may be limited to
  /// the first frame.
  public var movingFormat: ImageFormat?
  /// The kind of result.
  public var output = Output.image

  public enum Output: Sendable, Hashable {
    /// An image, or the text of a placeholder.
    case image
    /// The facts in the header of the source as JSON: ``ImageFacts``. Options and format are ignored.
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

  /// Returns a request for the facts about an image.
  public static func facts(of source: URL) -> RenditionRequest {
    var request = RenditionRequest(source: source)
    request.output = .facts
    return request
  }
}
