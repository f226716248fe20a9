#if Video
  import Foundation

  extension VideoFile {
    /// The maximum number of samples that the tracks of a file may state: 24 bytes each in libavformat. Ten hours of
    /// video and sound have 5 million.
    private static let sampleLimit = 16 << 20

    /// Throws if the boxes of a file state more samples than it can have.
    ///
    /// libavformat allocates memory for stated samples, and 20 bytes can state four billion. It reads the boxes in any
    /// place, so they are searched in any place but the media data.
    static func checkSampleCounts(
      _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat, isWhole: Bool
    ) throws(CodecError) {
      guard format != .webm else { return }
      var (count, position) = (0, 0)
      for box in ISOBoxes(bytes) where box.type == "mdat" {
        count += statedSampleCount(bytes, position..<box.contents.lowerBound)
        position = box.contents.upperBound
      }
      count += statedSampleCount(bytes, position..<bytes.count)
      guard count <= (isWhole ? min(bytes.count, sampleLimit) : sampleLimit) else {
        if ISOBoxes.isTruncated(bytes) { throw .truncated(format, byteCount: bytes.count) }
        throw .malformed(format, reason: "its tracks state \(count) samples", offset: nil)
      }
    }

    private static func statedSampleCount(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
      var count = 0
      guard range.count >= 16 else { return 0 }
      for offset in range.lowerBound..<range.upperBound - 11 where bytes[offset] >> 3 == 0x73 >> 3 {
        // The types of interest begin with "s" or "t".
        switch bytes.bigEndian32(at: offset) {
        // "stsz" and "stz2": flags, the size of all samples, and their number.
        case 0x7374_737A, 0x7374_7A32:
          if offset + 16 <= range.upperBound { count += Int(bytes.bigEndian32(at: offset + 12)) }
        // "trun": flags, and the number of samples.
        case 0x7472_756E: count += Int(bytes.bigEndian32(at: offset + 8))
        default: break
        }
      }
      return count
    }
  }
#endif
