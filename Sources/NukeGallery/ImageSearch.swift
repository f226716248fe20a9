#if GTK
  import Foundation
  import Glibc

  /// A search for images whose path contains all words, ignoring case and accents.
  struct ImageSearch: Equatable {
    private let words: [[UInt8]]

    init(_ text: String = "") {
      words = text.split(whereSeparator: \.isWhitespace).map { Array(Self.folded(String($0)).utf8) }
    }

    /// `true` if all images match.
    var isEmpty: Bool { words.isEmpty }

    /// - Parameter key: the result of `key(of:)` for an image, in UTF-8.
    func matches(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
      words.allSatisfy { Self.contains($0, in: key) }
    }

    private static func contains(_ word: [UInt8], in key: UnsafeBufferPointer<UInt8>) -> Bool {
      guard let first = word.first, let base = key.baseAddress else { return word.isEmpty }
      var start = 0
      while key.count - start >= word.count {
        let reach = key.count - start - word.count + 1
        guard let found = memchr(base + start, Int32(first), reach) else { return false }
        start = UnsafeRawPointer(found) - UnsafeRawPointer(base)
        if memcmp(base + start, word, word.count) == 0 { return true }
        start += 1
      }
      return false
    }

    func matches(_ key: String) -> Bool {
      var key = key
      return key.withUTF8 { matches($0) }
    }

    /// Returns the text to search: the path of the URL, without the host.
    static func key(of url: URL) -> String { folded(url.path) }

    static func folded(_ text: String) -> String {
      text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
  }
#endif
