#if AVIF
  /// How often an image sequence is played, as the edit list of its track says (ISO/IEC 14496-12, 8.6.6).
  ///
  /// libavif tells it from version 1.0 on only.
  enum ISOEditList {
    /// The number of times the sequence is played; 0 for ever, which is also what a file without an edit list means.
    static func loopCount(_ bytes: UnsafeRawBufferPointer) -> Int {
      for track in contents(of: "trak", in: contents(of: "moov", in: [0..<bytes.count], bytes), bytes) {
        guard let list = contents(of: "elst", in: contents(of: "edts", in: [track], bytes), bytes).first,
          let edit = edit(list, bytes), let duration = duration(track, bytes)
        else { continue }
        guard edit.isRepeated else { return 1 }
        guard edit.duration > 0, duration < .max, duration / edit.duration < UInt64(Int32.max) else { return 0 }
        return max(1, Int(duration / edit.duration) + (duration % edit.duration > 0 ? 1 : 0))
      }
      return 0
    }

    /// The first edit: how long it lasts, and if the list starts over at its end.
    private static func edit(
      _ list: Range<Int>, _ bytes: UnsafeRawBufferPointer
    ) -> (isRepeated: Bool, duration: UInt64)? {
      guard list.count >= 20 else { return nil }
      let isLong = bytes[list.lowerBound] == 1
      let duration = number(bytes, at: list.lowerBound + 8, isLong: isLong)
      return (bytes[list.lowerBound + 3] & 1 == 1, duration)
    }

    /// The duration of a track, in the unit of edits; `max` if it lasts for ever, for which there is the largest number
    /// that the field holds, with or without a sign.
    private static func duration(_ track: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> UInt64? {
      guard let header = contents(of: "tkhd", in: [track], bytes).first, header.count >= 36 else { return nil }
      let isLong = bytes[header.lowerBound] == 1
      let duration = number(bytes, at: header.lowerBound + (isLong ? 28 : 20), isLong: isLong)
      let largest = isLong ? UInt64.max : UInt64(UInt32.max)
      return duration == largest || duration == largest >> 1 ? .max : duration
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, at offset: Int, isLong: Bool) -> UInt64 {
      guard isLong else { return UInt64(bytes.bigEndian32(at: offset)) }
      return UInt64(bytes.bigEndian32(at: offset)) << 32 | UInt64(bytes.bigEndian32(at: offset + 4))
    }

    private static func contents(
      of type: String, in ranges: [Range<Int>], _ bytes: UnsafeRawBufferPointer
    ) -> [Range<Int>] {
      ranges.flatMap { ISOBoxes(bytes, in: $0).filter { $0.type == type }.map(\.contents) }
    }
  }
#endif
