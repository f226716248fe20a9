/// The ID of a request in logs.
package enum RequestID {
  /// Returns the client's request ID if it is safe to log and to send back; otherwise `nil`.
  package static func accepted(_ text: String?) -> String? {
    guard let text, (1...128).contains(text.utf8.count),
      text.utf8.allSatisfy({ $0.isLetterOrDigit || "-._:/+=".utf8.contains($0) })
    else { return nil }
    return text
  }

  /// Returns the client's request ID if it is acceptable, otherwise a new one.
  package static func of(_ given: String?, random: () -> UInt64 = { .random(in: .min ... .max) }) -> String {
    if let given = accepted(given) { return given }
    let digits = String(random(), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
