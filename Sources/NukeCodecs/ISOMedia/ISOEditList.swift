#if AVIF
  /// The loop count of an image sequence, from the edit list of its track (ISO/IEC 14496-12, 8.6.6).
  ///
  /// libavif reports the loop count only since version 1.0.
  enum ISOEditList {
    /// Returns the number of times the sequence plays; 0 for forever, also if there is no edit list.
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

    /// Returns the duration of the first edit, and `true` if the list is repeated.
    private static func edit(
      _ list: Range<Int>, _ bytes: UnsafeRawBufferPointer
    ) -> (isRepeated: Bool, duration: UInt64)? {
      guard list.count >= 20 else { return nil }
      let isLong = bytes[list.lowerBound] == 1
      let duration = number(bytes, at: list.lowerBound + 8, isLong: isLong)
      return (bytes[list.lowerBound + 3] & 1 == 1, duration)
    }

    /// Returns the duration of a track, in the unit of edits; `max` if it is unlimited. Encoders write the largest
    /// signed or unsigned number of the field for that.
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
