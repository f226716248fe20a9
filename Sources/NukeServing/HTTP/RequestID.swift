import Nuke
import Synchronization

/// The ID of a request in logs.
package enum RequestID {
  /// The number of the last ID. It begins with a random value, since a system call for each request takes a microsecond.
  private static let last = Atomic<UInt64>(.random(in: .min ... .max))

  /// Returns a number that looks random, and is different for each of 2^64 calls (a step of SplitMix64).
  private static func next() -> UInt64 {
    var bits = last.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Returns the client's request ID if it is safe to log and to send back; otherwise `nil`.
  package static func accepted(_ text: String?) -> String? {
    guard let text, (1...128).contains(text.utf8.count),
      text.utf8.allSatisfy({ $0.isLetterOrDigit || "-._:/+=".utf8.contains($0) })
    else { return nil }
    return text
  }

  /// Returns the client's request ID if it is acceptable, otherwise a new one.
  package static func of(_ given: String?, random: () -> UInt64 = next) -> String {
    if let given = accepted(given) { return given }
    return Digest.hexadecimal(random())
  }
}
