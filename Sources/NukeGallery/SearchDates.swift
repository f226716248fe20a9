#if GTK
  import Foundation

  /// The times that a word of a search stands for, in nanoseconds since 1970.
  ///
  /// Words are years, months and days (`2024`, `2024-05`, `2024-05-17`), `today`, `yesterday`, and ranges of these, which
  /// include both ends (`2024-05..2024-08`, `2024..`, `..yesterday`).
  enum SearchDates {
    /// Returns the times of a word; `nil` if it is no date.
    ///
    /// - Parameter calendar: a Gregorian calendar with the time zone of the user.
    static func times(_ word: String, now: Date, calendar: Calendar) -> Range<Int64>? {
      guard let dots = word.firstRange(of: "..") else { return period(word[...], now, calendar) }
      let (first, last) = (word[..<dots.lowerBound], word[dots.upperBound...])
      guard !first.isEmpty || !last.isEmpty else { return nil }
      let start = first.isEmpty ? .min..<(.min) : period(first, now, calendar)
      let end = last.isEmpty ? .max..<(.max) : period(last, now, calendar)
      guard let start, let end, start.lowerBound < end.upperBound else { return nil }
      return start.lowerBound..<end.upperBound
    }

    private static func period(_ text: Substring, _ now: Date, _ calendar: Calendar) -> Range<Int64>? {
      let interval: DateInterval?
      switch text.lowercased() {
      case "today": interval = calendar.dateInterval(of: .day, for: now)
      case "yesterday":
        interval = calendar.date(byAdding: .day, value: -1, to: now).flatMap {
          calendar.dateInterval(of: .day, for: $0)
        }
      case let text: interval = date(text, calendar)
      }
      return interval.map { nanoseconds($0.start)..<nanoseconds($0.end) }
    }

    private static func date(_ text: String, _ calendar: Calendar) -> DateInterval? {
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      guard (1...3).contains(parts.count), zip(parts, [4, 2, 2]).allSatisfy({ $0.utf8.count == $1 }),
        text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else { return nil }
      let numbers = parts.compactMap { Int($0) }
      guard numbers.count == parts.count, numbers[0] >= 1000 else { return nil }
      let components = DateComponents(
        calendar: calendar, year: numbers[0], month: numbers.count > 1 ? numbers[1] : 1,
        day: numbers.count > 2 ? numbers[2] : 1)
      // The 31st of February would become a day in March.
      guard components.isValidDate(in: calendar), let date = calendar.date(from: components) else { return nil }
      return calendar.dateInterval(of: [.year, .month, .day][parts.count - 1], for: date)
    }

    private static func nanoseconds(_ date: Date) -> Int64 {
      let (value, isTooLarge) = Int64(date.timeIntervalSince1970).multipliedReportingOverflow(by: 1_000_000_000)
      return isTooLarge ? (date.timeIntervalSince1970 < 0 ? .min : .max) : value
    }
  }
#endif
