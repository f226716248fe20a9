import Foundation

/// Identifies one purge of a source. A rendition contains the identifier of the last purge before its source was
/// loaded. After a later purge, it must not be sent.
struct PurgeID: Hashable, Sendable {
  /// A random number that is not 0.
  let number: UInt64

  init(_ number: UInt64) { self.number = number }
}

/// The encoding in stores: "NKP", the version of the encoding, and the number, little-endian. No clocks are compared.
extension PurgeID {
  private static let header: [UInt8] = [0x4E, 0x4B, 0x50, 1]

  var encoded: Data { withUnsafeBytes(of: number.littleEndian) { Data(Self.header + $0) } }

  /// Returns `nil` if the data is not that of a purge.
  init?(encoded: Data) {
    guard encoded.count == Self.header.count + 8, encoded.starts(with: Self.header) else { return nil }
    let number = encoded.suffix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    guard number != 0 else { return nil }
    self.init(number)
  }
}

extension RenditionRecord {
  /// Returns `true` if the source was not purged since it was loaded.
  ///
  /// - Parameter purge: the last purge of the source; `nil` if none is known.
  func isCurrent(after purge: PurgeID?) -> Bool { purge == nil || self.purge == purge }
}
