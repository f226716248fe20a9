import Foundation

/// The texts of elements in an XML response of Amazon's services, whose elements of interest have no attributes.
///
/// Only their tags are searched for, in one pass. So neither the depth of the document nor the number of other elements
/// matters.
struct XMLElements {
  private let xml: [UInt8]

  init(_ xml: Data) { self.xml = Array(xml) }

  /// Returns `true` if there is an element with this name.
  func contains(_ element: String) -> Bool {
    let tag = Array("<\(element)".utf8)
    return xml.indices.contains { xml[$0] == UInt8(ascii: "<") && has(tag, at: $0) }
  }

  /// The texts of all complete elements with a name, in order. Of elements with this name inside each other, only the
  /// innermost one is complete.
  subscript(element: String) -> [String] {
    let (opening, closing) = (Array("<\(element)>".utf8), Array("</\(element)>".utf8))
    var texts: [String] = []
    var start: Int?
    for index in xml.indices where xml[index] == UInt8(ascii: "<") {
      if has(opening, at: index) {
        start = index + opening.count
      } else if let first = start, has(closing, at: index) {
        texts.append(Self.unescaped(String(decoding: xml[first..<index], as: UTF8.self)))
        start = nil
      }
    }
    return texts
  }

  private func has(_ tag: [UInt8], at index: Int) -> Bool { xml[index...].starts(with: tag) }

  /// Decodes the five named references of XML. `&amp;` is decoded last, because its result could begin another
  /// reference.
  private static func unescaped(_ text: String) -> String {
    guard text.contains("&") else { return text }
    var text = text
    for (name, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
      text = text.replacingOccurrences(of: name, with: character)
    }
    return text
  }
}
