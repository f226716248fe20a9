import Foundation
import NukeHTTPCaching

/// The moment at which most tests take place: Mon, 21 Sep 2026 14:13:20 GMT.
let noon = Timestamp(seconds: 1_790_000_000)

extension Timestamp {
  static func + (time: Timestamp, seconds: Int) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds + seconds * 1000)
  }
}

/// An IMF-fixdate, so many seconds after `noon`.
func httpDate(_ offset: Int = 0) -> String {
  var calendar = Calendar(identifier: .gregorian)
  calendar.timeZone = .gmt
  let date = Date(timeIntervalSince1970: Double(noon.seconds + offset))
  let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
  let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  func padded(_ value: Int?, _ count: Int = 2) -> String {
    let digits = String(value ?? 0)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
  return """
    \(days[(parts.weekday ?? 1) - 1]), \(padded(parts.day)) \(months[(parts.month ?? 1) - 1]) \(padded(parts.year, 4)) \
    \(padded(parts.hour)):\(padded(parts.minute)):\(padded(parts.second)) GMT
    """
}
