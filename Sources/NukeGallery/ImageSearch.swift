#if GTK
  import Foundation
  import Glibc

  /// A search for images that match all words. A word matches if the path contains it, ignoring case and accents, or if it
  /// is a date and the file was modified then; see ``SearchDates``.
  struct ImageSearch: Equatable {
    private struct Word: Equatable {
      let text: [UInt8]
      let times: Range<Int64>?
    }

    private let words: [Word]

    /// - Parameters:
    ///   - now: the time of the search.
    ///   - zone: the time zone of dates.
    init(_ text: String = "", now: Date = Date(), zone: TimeZone = .current) {
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = zone
      words = text.split(whereSeparator: \.isWhitespace).map { word in
        Word(
          text: Array(Self.folded(String(word)).utf8),
          times: SearchDates.times(String(word), now: now, calendar: calendar))
      }
    }

    /// `true` if all images match.
    var isEmpty: Bool { words.isEmpty }

    /// - Parameters:
    ///   - key: the result of `key(of:)` for an image, in UTF-8.
    ///   - modified: its modification time in nanoseconds since 1970; `nil` if it is unknown.
    func matches(_ key: UnsafeBufferPointer<UInt8>, modified: Int64?) -> Bool {
      words.allSatisfy { word in
        if let modified, let times = word.times, times.contains(modified) { return true }
        return Self.contains(word.text, in: key)
      }
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

    func matches(_ key: String, modified: Int64? = nil) -> Bool {
      var key = key
      return key.withUTF8 { matches($0, modified: modified) }
    }

    /// Returns the text to search: the path of the URL, without the host.
    static func key(of url: URL) -> String { folded(url.path) }

    static func folded(_ text: String) -> String {
      text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
  }
#endif
