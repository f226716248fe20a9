/// The trace that a request belongs to: a `traceparent` field (W3C Trace Context). It is passed on to sources unchanged.
package struct TraceParent: Sendable, Hashable {
  /// The trace of the request that the current task answers.
  @TaskLocal package static var current: TraceParent?

  package static let field = "traceparent"

  /// The field as it was received.
  package let text: String
  /// 32 hexadecimal digits.
  package let traceID: String

  /// Returns `nil` for a malformed field.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[0].count == 2, parts[0] != "ff", parts[1].count == 32, parts[2].count == 16,
      parts[3].count == 2, parts[0] != "00" || parts.count == 4, text.utf8.count <= 128,
      text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || PercentEncoding.digit($0) != nil && !$0.isUppercase }),
      parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
    else { return nil }
    self.text = text
    traceID = String(parts[1])
  }
}

extension UInt8 {
  fileprivate var isUppercase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
}
