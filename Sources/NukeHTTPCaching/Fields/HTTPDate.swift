/// Parses and formats the dates of header fields (RFC 9110 §5.6.7).
package enum HTTPDate {
  /// Parses a date in one of the three formats of the RFC, and returns seconds since 1970. Returns `nil` for other
  /// formats and for days that do not exist. Names of days and months are case-insensitive.
  ///
  /// The formats are `Sun, 06 Nov 1994 08:49:37 GMT` (IMF-fixdate), `Sunday, 06-Nov-94 08:49:37 GMT` (RFC 850) and
  /// `Sun Nov  6 08:49:37 1994` (asctime).
  ///
  /// - Parameter now: determines the century of a two-digit year: the latest that is at most 50 years in the future.
  package static func seconds(_ bytes: FieldBytes, now: Timestamp) -> Int? {
    if isFixed(bytes) { return fixdateSeconds(bytes) }
    var reader = Reader(rest: bytes)
    if bytes.count == 24 { return asctime(&reader) }
    return rfc850(&reader, now: now)
  }

  package static func seconds(_ text: String, now: Timestamp) -> Int? { seconds(Array(text.utf8)[...], now: now) }

  /// Parses a date in the IMF-fixdate format only. Returns `nil` for the two obsolete formats.
  package static func fixdateSeconds(_ text: String) -> Int? { fixdateSeconds(Array(text.utf8)[...]) }

  private static func isFixed(_ bytes: FieldBytes) -> Bool {
    bytes.count == 29 && bytes[bytes.startIndex + 3] == UInt8(ascii: ",")
  }

  private static func fixdateSeconds(_ bytes: FieldBytes) -> Int? {
    guard isFixed(bytes) else { return nil }
    var reader = Reader(rest: bytes)
    guard reader.name(of: days) != nil, reader.skip(", "), let day = reader.number(2), reader.skip(" "),
      let month = reader.name(of: months), reader.skip(" "), let year = reader.number(4), reader.skip(" "),
      let time = reader.time(), reader.skip(" gmt"), reader.rest.isEmpty
    else { return nil }
    return seconds(year: year, month: month + 1, day: day, time: time)
  }

  private static func asctime(_ reader: inout Reader) -> Int? {
    guard reader.name(of: days) != nil, reader.skip(" "), let month = reader.name(of: months), reader.skip(" "),
      let day = reader.skip(" ") ? reader.number(1) : reader.number(2), reader.skip(" "), let time = reader.time(),
      reader.skip(" "), let year = reader.number(4), reader.rest.isEmpty
    else { return nil }
    return seconds(year: year, month: month + 1, day: day, time: time)
  }

  private static func rfc850(_ reader: inout Reader, now: Timestamp) -> Int? {
    guard reader.name(of: longDays) != nil, reader.skip(", "), let day = reader.number(2), reader.skip("-"),
      let month = reader.name(of: months), reader.skip("-"), let year = reader.number(2), reader.skip(" "),
      let time = reader.time(), reader.skip(" gmt"), reader.rest.isEmpty
    else { return nil }
    // The latest year with these two digits that is at most 50 years in the future.
    let latest = yearNumber(ofDay: floorDivide(now.seconds, 86_400)) + 50
    let full = latest - (((latest - year) % 100) + 100) % 100
    return seconds(year: full, month: month + 1, day: day, time: time)
  }

  private static func seconds(year: Int, month: Int, day: Int, time: Int) -> Int? {
    guard day >= 1, day <= length(ofMonth: month, year: year) else { return nil }
    return dayNumber(year: year, month: month, day: day) * 86_400 + time
  }

  private static let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"].map { Array($0.utf8)[...] }
  private static let longDays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"].map {
    Array($0.utf8)[...]
  }
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ].map { Array($0.utf8)[...] }

  /// Parses a date from left to right.
  private struct Reader {
    var rest: FieldBytes

    /// Skips `text`, ignoring case. `text` must be in lower case.
    mutating func skip(_ text: StaticString) -> Bool {
      let count = text.utf8CodeUnitCount
      guard rest.prefix(count).isSame(as: text) else { return false }
      rest = rest.dropFirst(count)
      return true
    }

    mutating func name(of names: [FieldBytes]) -> Int? {
      guard let index = names.firstIndex(where: { rest.prefix($0.count).isSame(as: $0) }) else { return nil }
      rest = rest.dropFirst(names[index].count)
      return index
    }

    mutating func number(_ digits: Int) -> Int? {
      guard rest.count >= digits, let value = rest.prefix(digits).number(limit: .max / 16) else { return nil }
      rest = rest.dropFirst(digits)
      return value
    }

    /// Reads the time of day in seconds. A leap second (60) is allowed.
    mutating func time() -> Int? {
      guard let hour = number(2), skip(":"), let minute = number(2), skip(":"), let second = number(2), hour < 24,
        minute < 60, second <= 60
      else { return nil }
      return (hour * 60 + minute) * 60 + second
    }
  }
}

extension HTTPDate {
  /// Formats seconds since 1970 as an IMF-fixdate. The year is clamped to 1...9999.
  package static func text(_ seconds: Int) -> String {
    let seconds = min(max(seconds, -62_135_596_800), 253_402_300_799)
    let day = floorDivide(seconds, 86_400)
    let time = seconds - day * 86_400
    let year = yearNumber(ofDay: day)
    var month = 1
    var rest = day - dayNumber(year: year, month: 1, day: 1)
    while rest >= length(ofMonth: month, year: year) {
      rest -= length(ofMonth: month, year: year)
      month += 1
    }
    // 1970 began on a Thursday.
    let weekday = day + 4 - floorDivide(day + 4, 7) * 7
    return String(unsafeUninitializedCapacity: form.count) { text in
      _ = text.initialize(from: form)
      for index in 0..<3 {
        text[index] = dayNames[weekday * 3 + index]
        text[8 + index] = monthNames[(month - 1) * 3 + index]
      }
      let numbers = [
        (5, rest + 1), (12, year / 100), (14, year % 100), (17, time / 3600), (20, time / 60 % 60), (23, time % 60),
      ]
      for (offset, number) in numbers {
        text[offset] = UInt8(ascii: "0") + UInt8(number / 10)
        text[offset + 1] = UInt8(ascii: "0") + UInt8(number % 10)
      }
      return form.count
    }
  }

  private static let form = Array("Day, 00 Mon 0000 00:00:00 GMT".utf8)
  private static let dayNames = Array("SunMonTueWedThuFriSat".utf8)
  private static let monthNames = Array("JanFebMarAprMayJunJulAugSepOctNovDec".utf8)
}

/// The Gregorian calendar. Years begin in March, so that the leap day is the last day of a year.
extension HTTPDate {
  private static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the number of days since 1970-01-01.
  private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let year = month < 3 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return year * 365 + floorDivide(year, 4) - floorDivide(year, 100) + floorDivide(year, 400) + dayOfYear - 719_468
  }

  private static func yearNumber(ofDay day: Int) -> Int {
    // 400 years have 146,097 days. The estimate is the right year or a later one: the loop corrects it.
    var year = floorDivide(day * 400, 146_097) + 1970 + 1
    while dayNumber(year: year, month: 1, day: 1) > day { year -= 1 }
    return year
  }

  private static func floorDivide(_ value: Int, _ divisor: Int) -> Int {
    value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
  }
}
