import Foundation
import Nuke
import NukeCodecs

/// Identifies the file for a request. Two processes, machines or versions have the same key exactly if they render the
/// same file.
///
/// Options that affect only the response, such as the suggested file name, are not part of the key.
package struct RenditionKey: Hashable, Sendable {
  /// 43 bytes of ASCII, for stores.
  package let name: String
  /// A readable form: format, options and source. It is stored with the file, so that a collision of two names is
  /// detected.
  package let text: String

  /// Increased when the same request must produce a different file.
  private static let version = 2

  /// - Parameter renderer: the identifier of the renderer's settings that affect files, such as the default quality.
  package init(_ request: RenditionRequest, renderer: String = "") {
    let format =
      switch request.output {
      case .image:
        (request.format?.rawValue ?? request.options.format?.rawValue ?? "auto")
          + (request.movingFormat.map { "+" + $0.rawValue } ?? "") + Self.named(in: request)
      case .facts: "facts"
      }
    // No name of a format contains a tilde.
    let fields = request.fieldsDigest.map { "~" + $0 } ?? ""
    // The first four parts contain no spaces, so different requests have different texts.
    text = "\(Self.version) \(format)\(fields) \(request.optionsText) \(request.source.absoluteString) \(renderer)"
    name = "r\(Self.version)-" + Digest.text(of: text)
  }

  /// Returns the format of the URL if it decides whether the source is sent unchanged, and differs from that of the
  /// request; otherwise an empty text.
  private static func named(in request: RenditionRequest) -> String {
    let named = request.options.format
    guard !request.options.skippedFormats.isEmpty, let format = request.format, format != named else { return "" }
    return "<" + (named?.rawValue ?? "auto")
  }

  package static func == (left: RenditionKey, right: RenditionKey) -> Bool {
    left.name == right.name && left.text == right.text
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
