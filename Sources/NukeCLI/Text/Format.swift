package import Foundation

/// Formats numbers for a person.
package enum Format {
  /// Formats bytes in decimal units with three significant digits: "322 B", "25.4 KB", "1.02 MB".
  package static func bytes(_ count: Int64) -> String {
    var value = Double(max(0, count))
    guard value >= 1000 else { return "\(max(0, count)) B" }
    var unit = ""
    for name in ["KB", "MB", "GB", "TB"] {
      value /= 1000
      unit = name
      if value < 999.5 { break }
    }
    return "\(threeDigits(value)) \(unit)"
  }

  /// Formats a duration: "0.4 ms", "35 ms", "1.25 s", "2 min 5 s".
  package static func duration(_ seconds: TimeInterval) -> String {
    switch max(0, seconds) {
    case ..<0.00995: String(format: "%.1f ms", max(0, seconds) * 1000)
    case ..<0.9995: String(format: "%.0f ms", seconds * 1000)
    case ..<59.95: threeDigits(seconds) + " s"
    default: "\(Int(seconds.rounded()) / 60) min \(Int(seconds.rounded()) % 60) s"
    }
  }

  /// Formats the remaining time in a few characters: "4s", "3m05s", "2h10m".
  package static func countdown(_ seconds: TimeInterval) -> String {
    let whole = Int(min(max(0, seconds), 359_999).rounded(.up))
    if whole < 60 { return "\(whole)s" }
    if whole < 3600 { return "\(whole / 60)m" + String(format: "%02ds", whole % 60) }
    return "\(whole / 3600)h" + String(format: "%02dm", whole / 60 % 60)
  }

  /// Formats a number of things: "1 preview", "3 previews", "2 entries".
  package static func count(_ count: Int, _ thing: String) -> String {
    if count == 1 { return "1 \(thing)" }
    return "\(count) " + (thing.hasSuffix("y") ? thing.dropLast() + "ies" : thing + "s")
  }

  private static func threeDigits(_ value: Double) -> String {
    String(format: value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value)
  }
}
