import Foundation

/// A list of objects: the parts of an answer to `ListObjectsV2` that are needed.
struct S3Listing: Equatable {
  /// The names of the objects.
  let keys: [String]
  /// The token for the rest of the list; `nil` if this is all.
  let continuation: String?

  /// `nil` for what is no such answer.
  init?(_ xml: Data) {
    let text = String(decoding: xml, as: UTF8.self)
    guard text.contains("<ListBucketResult") else { return nil }
    keys = Self.texts(of: "Key", in: text)
    continuation = Self.texts(of: "NextContinuationToken", in: text).first
  }

  private static func texts(of element: String, in text: String) -> [String] {
    text.components(separatedBy: "<\(element)>").dropFirst().compactMap { rest in
      rest.range(of: "</\(element)>").map { unescaped(rest[..<$0.lowerBound]) }
    }
  }

  /// Undoes the five named references of XML; the last is that of the ampersand, which begins them all.
  private static func unescaped(_ text: Substring) -> String {
    var text = String(text)
    guard text.contains("&") else { return text }
    for (name, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
      text = text.replacingOccurrences(of: name, with: character)
    }
    return text
  }
}
