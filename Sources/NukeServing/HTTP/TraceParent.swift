/// The trace that a request belongs to: its `traceparent` and `tracestate` fields (W3C Trace Context). They are passed on
/// to sources unchanged.
package struct TraceParent: Sendable, Hashable {
  /// The trace of the request that the current task answers.
  @TaskLocal package static var current: TraceParent?

  package static let field = "traceparent"
  package static let stateField = "tracestate"
  /// The maximum length of a `tracestate` field in bytes, which the specification asks to pass on.
  private static let stateLimit = 512

  /// The field as it was received.
  package let text: String
  /// 32 hexadecimal digits.
  package let traceID: String
  /// The ID of the sender's span: 16 hexadecimal digits.
  package let parentID: String
  /// `true` if the sender may have recorded the trace.
  package let isSampled: Bool
  /// The `tracestate` field as it was received; `nil` if there is none, or if it is malformed.
  package let state: String?

  /// Returns `nil` for a malformed field.
  ///
  /// - Parameter state: the `tracestate` field.
  package init?(_ text: String, state: String? = nil) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[0].count == 2, parts[0] != "ff", parts[1].count == 32, parts[2].count == 16,
      parts[3].count == 2, parts[0] != "00" || parts.count == 4, text.utf8.count <= 128,
      text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || PercentEncoding.digit($0) != nil && !$0.isUppercase }),
      parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" }),
      let flags = UInt8(parts[3], radix: 16)
    else { return nil }
    self.text = text
    traceID = String(parts[1])
    parentID = String(parts[2])
    isSampled = flags & 1 == 1
    self.state = state.flatMap { Self.isState($0) ? $0 : nil }
  }

  private static func isState(_ text: String) -> Bool {
    (1...stateLimit).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  }
}

extension UInt8 {
  fileprivate var isUppercase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
}
