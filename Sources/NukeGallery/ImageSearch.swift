#if GTK
  import Foundation

  /// What a person looks for: images in whose path all of these words stand, in any case and with any accents.
  struct ImageSearch: Equatable {
    private let words: [String]

    init(_ text: String = "") { words = text.split(whereSeparator: \.isWhitespace).map { Self.folded(String($0)) } }

    /// - Parameter key: of an image, as `key(of:)` gives it.
    func matches(_ key: String) -> Bool { words.allSatisfy { key.contains($0) } }

    /// What is searched of an address: its path, without the server, which many have in common.
    static func key(of url: URL) -> String { folded(url.path) }

    private static func folded(_ text: String) -> String {
      text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
  }
#endif
