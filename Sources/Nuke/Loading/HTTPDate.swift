/// The form of dates that servers send (RFC 9110 §5.6.7).
enum HTTPDate {
  /// Seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; nil for any other form, also for the obsolete
  /// ones.
  static func seconds(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count == 29, text.hasSuffix(" GMT"), bytes[3] == UInt8(ascii: ","),
      [4, 7, 11, 16].allSatisfy({ bytes[$0] == UInt8(ascii: " ") }),
      [19, 22].allSatisfy({ bytes[$0] == UInt8(ascii: ":") }),
      days.contains(String(decoding: bytes[..<3], as: UTF8.self)),
      let month = months.firstIndex(of: String(decoding: bytes[8..<11], as: UTF8.self)),
      let day = number(bytes[5..<7]), let year = number(bytes[12..<16]), let hour = number(bytes[17..<19]),
      let minute = number(bytes[20..<22]), let second = number(bytes[23..<25]),
      (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    return ((dayNumber(year: year, month: month + 1, day: day) * 24 + hour) * 60 + minute) * 60 + second
  }

  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for byte in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// Days since 1970 in the Gregorian calendar. Years are counted from March, so that the leap day is the last.
  private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let year = month < 3 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
