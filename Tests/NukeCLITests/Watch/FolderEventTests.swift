#if Command
  import Foundation
  import Nuke
  import NukeCLI
  import Testing

  @Suite("Events of watched folders") struct FolderEventTests {
    /// The bytes of an event, as inotify(7) describes them.
    private func bytes(_ watch: Int32, _ mask: UInt32, _ name: [UInt8]) -> [UInt8] {
      func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
      return number(watch) + number(mask) + number(UInt32(7)) + number(UInt32(name.count)) + name
    }

    @Test("Events have names of any length, with zeros at their end, or none")
    func events() {
      let all =
        bytes(1, 8, Array("a.jpg".utf8) + [UInt8](repeating: 0, count: 11)) + bytes(2, 0x400, [])
        + bytes(-1, 0x4000, []) + bytes(3, 0x80, [0xE9, 0, 0, 0])
      #expect(
        FolderEvent.events(in: all).map { [Int($0.watch), Int($0.mask)] }
          == [[1, 8], [2, 0x400], [-1, 0x4000], [3, 0x80]])
      #expect(FolderEvent.events(in: all).map(\.name.systemBytes) == [Array("a.jpg".utf8), [], [], [0xE9]])
    }

    @Test("An incomplete event is no event")
    func incomplete() {
      let all = bytes(1, 8, Array("a.jpg\0\0\0".utf8))
      for count in 0..<all.count { #expect(FolderEvent.events(in: Array(all[..<count])).isEmpty) }
    }
  }
#endif
