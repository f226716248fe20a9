public import Foundation
import Nuke
public import NukeCodecs
import NukeImaging

/// A request for one file: a source, the processing options, and the format.
///
/// Content negotiation has already taken place: equal requests have equal responses, byte for byte.
public struct RenditionRequest: Sendable, Hashable {
  /// The URL of the source, with the scheme `http`, `https`, `local` or `s3`.
  public var source: URL
  /// The header fields that are sent to the source, by their names in lower case. They belong to one client: only
  /// requests with the same fields have the same result.
  public var sourceFields: [String: String] = [:]
  public var options: ImageOptions {
    _read { yield shared.options }
    set { shared = SharedOptions(newValue) }
  }
  /// ``ImageOptions/canonicalText`` of the options.
  var optionsText: String { shared.canonicalText }
  private var shared: SharedOptions
  /// The format to write. If it is `nil`, that of a JPEG, PNG or GIF source; otherwise GIF for an animated image, PNG for
  /// one with transparent pixels, and JPEG for all others.
  public var format: ImageFormat?
  /// The format to write if the source is animated and the result can be; `nil` for ``format``, which may be limited to
  /// the first frame.
  public var movingFormat: ImageFormat?
  /// The kind of result.
  public var output = Output.image
  /// A Boolean value that indicates whether the source is validated before a stored file is sent, even if the file is
  /// fresh. It does not affect the file.
  public var validatesSource = false

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
    shared = SharedOptions(options)
    self.format = format
    self.movingFormat = movingFormat
  }

  /// The options as an object that the copies of a request share. A request is copied from stage to stage, and the options
  /// have several hundred bytes.
  private final class SharedOptions: Hashable, Sendable {
    let options: ImageOptions
    private let lazyText = Lock<String?>(nil)

    init(_ options: ImageOptions) { self.options = options }

    /// Created on first use, and only for requests that are not found in memory.
    var canonicalText: String {
      if let text = lazyText.withLock({ $0 }) { return text }
      let text = options.canonicalText
      lazyText.withLock { $0 = text }
      return text
    }

    static func == (left: SharedOptions, right: SharedOptions) -> Bool {
      left === right || left.options == right.options
    }

    func hash(into hasher: inout Hasher) { hasher.combine(options) }
  }

  /// Identifies the source and the fields that are sent to it. Contains only a hash of the fields, which may be secret.
  var sourceName: String {
    fieldsDigest.map { "\(source.absoluteString) \($0)" } ?? source.absoluteString
  }

  /// A hash of ``sourceFields``; `nil` if there are none.
  var fieldsDigest: String? {
    guard !sourceFields.isEmpty else { return nil }
    return Digest.text(of: sourceFields.map { "\($0.key):\($0.value)" }.sorted().joined(separator: "\n"))
  }

  /// Returns a request for the facts about an image.
  public static func facts(of source: URL) -> RenditionRequest {
    var request = RenditionRequest(source: source)
    request.output = .facts
    return request
  }
}
