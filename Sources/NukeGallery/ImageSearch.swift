#if GTK
  import Foundation

  /// A search for images whose path contains all words, ignoring case and accents.
  struct ImageSearch: Equatable {
    private let words: [String]

    init(_ text: String = "") { words = text.split(whereSeparator: \.isWhitespace).map { Self.folded(String($0)) } }

    /// - Parameter key: the result of `key(of:)` for an image.
    func matches(_ key: String) -> Bool { words.allSatisfy { key.contains($0) } }

    /// Returns the text to search: the path of the URL, without the host.
    static func key(of url: URL) -> String { folded(url.path) }

    private static func folded(_ text: String) -> String {
      text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
  }
#endif
