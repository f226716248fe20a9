import Foundation

/// The texts of elements in an XML response of Amazon's services, whose elements of interest have no attributes.
struct XMLElements {
  private let text: String

  init(_ xml: Data) { text = String(decoding: xml, as: UTF8.self) }

  /// Returns `true` if there is an element with this name.
  func contains(_ element: String) -> Bool { text.contains("<\(element)") }

  /// The texts of all complete elements with a name, in order.
  subscript(element: String) -> [String] {
    text.components(separatedBy: "<\(element)>").dropFirst().compactMap { rest in
      rest.range(of: "</\(element)>").map { Self.unescaped(rest[..<$0.lowerBound]) }
    }
  }

  /// Decodes the five named references of XML. `&amp;` is decoded last, because its result could begin another
  /// reference.
  private static func unescaped(_ text: Substring) -> String {
    var text = String(text)
    guard text.contains("&") else { return text }
    for (name, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
      text = text.replacingOccurrences(of: name, with: character)
    }
    return text
  }
}
