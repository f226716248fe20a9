import Foundation
import Nuke
import NukeCodecs

/// Names the file that is made for a request: the same in each process, on each machine and in each version that makes
/// the same file.
///
/// What changes the answer and not the file, such as its name for whoever saves it, is not part of it.
package struct RenditionKey: Hashable, Sendable {
  /// 43 bytes of ASCII, for stores.
  package let name: String
  /// The same for people: format, options and source. It is stored beside the file too, so that a name that two had in
  /// common would be noticed.
  package let text: String

  /// Goes up when the same request is to give another file.
  private static let version = 1

  /// - Parameter renderer: tells what decides about files besides requests, such as the quality where none is said.
  package init(_ request: RenditionRequest, renderer: String = "") {
    let format =
      switch request.output {
      case .image:
        ((request.format ?? request.options.format)?.rawValue ?? "auto")
          + (request.movingFormat.map { "+" + $0.rawValue } ?? "")
      case .facts: "facts"
      }
    // The first four have no spaces in them, so that no two requests have the same text.
    text = "\(Self.version) \(format) \(request.options.canonicalText) \(request.source.absoluteString) \(renderer)"
    name = "r\(Self.version)-" + Digest.text(of: Data(text.utf8))
  }

  package static func == (left: RenditionKey, right: RenditionKey) -> Bool {
    left.name == right.name && left.text == right.text
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
