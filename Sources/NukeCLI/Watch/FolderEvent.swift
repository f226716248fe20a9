import Foundation

/// An event of inotify: a change in a watched folder.
package struct FolderEvent: Sendable, Equatable {
  /// The number of the watch; -1 if events were lost.
  package let watch: Int32
  /// The kinds, such as `IN_CLOSE_WRITE`.
  package let mask: UInt32
  /// The name in the folder; empty if the event is about the folder.
  package let name: String

  /// Returns `true` if the event is of one of the kinds.
  func isOf(_ kinds: Int32...) -> Bool { kinds.contains { mask & UInt32($0) != 0 } }

  /// Returns the events in what a read of the system returned (inotify(7)): the watch, the mask, a number, the length of
  /// the name, and the name with zeros at its end.
  package static func events(in bytes: [UInt8]) -> [FolderEvent] {
    var events: [FolderEvent] = []
    bytes.withUnsafeBytes { bytes in
      var start = 0
      while start + 16 <= bytes.count {
        let length = Int(bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
        let end = start + 16 + length
        guard end <= bytes.count else { break }
        events.append(
          FolderEvent(
            watch: bytes.loadUnaligned(fromByteOffset: start, as: Int32.self),
            mask: bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self),
            name: String(system: bytes[start + 16..<end].prefix { $0 != 0 }.map { $0 })))
        start = end
      }
    }
    return events
  }
}
