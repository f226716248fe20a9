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
      var (stated, position) = (StatedSamples(), 0)
      for box in ISOBoxes(bytes) where box.type == "mdat" {
        stated.add(bytes, position..<box.contents.lowerBound)
        position = box.contents.upperBound
      }
      stated.add(bytes, position..<bytes.count)
      guard !stated.isCompressed else { throw .unsupported(format, feature: "compressed boxes") }
      let count = stated.count
      guard count <= (isWhole ? min(bytes.count, sampleLimit) : sampleLimit) else {
        if ISOBoxes.isTruncated(bytes) { throw .truncated(format, byteCount: bytes.count) }
        throw .malformed(format, reason: "its tracks state \(count) samples", offset: nil)
      }
    }
  }

  /// What the boxes of a file state, wherever they are.
  private struct StatedSamples {
    private var samples = 0
    private var chunks = 0
    private var samplesPerChunk = 0
    /// `true` if there are boxes that only libavformat sees.
    private(set) var isCompressed = false

    /// Of sound whose samples have equal sizes, libavformat allocates memory for every 1024 samples of each chunk.
    var count: Int { samples + chunks * (samplesPerChunk / 1024) }

    mutating func add(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
      guard range.count >= 16 else { return }
      for offset in range.lowerBound..<range.upperBound - 15 {
        switch bytes[offset] {
        case UInt8(ascii: "c"), UInt8(ascii: "k"), UInt8(ascii: "s"), UInt8(ascii: "t"): break
        default: continue
        }
        let number = Int(bytes.bigEndian32(at: offset + 8))
        switch bytes.bigEndian32(at: offset) {
        // "stsz" and "stz2": flags, the size of all samples, and their number.
        case 0x7374_737A, 0x7374_7A32: samples += Int(bytes.bigEndian32(at: offset + 12))
        // "trun": flags, and the number of samples.
        case 0x7472_756E: samples += number
        // "keys": flags, which are 0, and the number of names.
        case 0x6B65_7973 where bytes.bigEndian32(at: offset + 4) == 0: samples += number
        // "stco" and "co64": flags, and the number of chunks.
        case 0x7374_636F,
          0x636F_3634 where bytes.bigEndian32(at: offset + 4) == 0:
          chunks += number
        // "stsc": flags, the number of entries, and for each the first chunk, the samples of a chunk, and a number.
        case 0x7374_7363 where bytes.bigEndian32(at: offset + 4) == 0:
          for entry in 0..<min(number, (range.upperBound - offset - 12) / 12) {
            samplesPerChunk = max(samplesPerChunk, Int(bytes.bigEndian32(at: offset + 12 + entry * 12 + 4)))
          }
        // "cmov": the box "dcom" first.
        case 0x636D_6F76 where number == 0x6463_6F6D: isCompressed = true
        default: break
        }
      }
    }
  }
#endif
