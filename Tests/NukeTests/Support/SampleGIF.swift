import Foundation

/// Small GIF files, written without compression, each frame of one gray.
enum SampleGIF {
  /// - Parameters:
  ///   - grays: the gray of each frame.
  ///   - delay: hundredths of a second.
  ///   - loopCount: 0 for ever.
  ///   - damaged: the frame whose codes make no sense, if any.
  static func data(
    width: Int = 8, height: Int = 6, grays: [UInt8], delay: Int = 10, loopCount: Int = 0, damaged: Int? = nil
  ) -> Data {
    var data = Data("GIF89a".utf8)
    func append(_ value: Int) { data.append(contentsOf: [UInt8(value & 255), UInt8(value >> 8)]) }
    append(width)
    append(height)
    // A table of 256 grays for all frames.
    data.append(contentsOf: [0xF7, 0, 0] as [UInt8])
    for gray in 0...255 { data.append(contentsOf: [UInt8](repeating: UInt8(gray), count: 3)) }
    if loopCount != 1 {
      data.append(contentsOf: [0x21, 0xFF, 11] as [UInt8])
      data.append(contentsOf: Array("NETSCAPE2.0".utf8))
      data.append(contentsOf: [3, 1] as [UInt8])
      append(max(0, loopCount - 1))
      data.append(0)
    }
    for (index, gray) in grays.enumerated() {
      data.append(contentsOf: [0x21, 0xF9, 4, 0] as [UInt8])
      append(delay)
      data.append(contentsOf: [0, 0, 0x2C, 0, 0, 0, 0] as [UInt8])
      append(width)
      append(height)
      data.append(contentsOf: [0, 8] as [UInt8])
      let codes: [Int] = index == damaged ? [clear, 300] : literals(Int(gray), count: width * height)
      let bytes = packed(codes)
      for start in stride(from: 0, to: bytes.count, by: 255) {
        let block = bytes[start..<min(start + 255, bytes.count)]
        data.append(UInt8(block.count))
        data.append(contentsOf: block)
      }
      data.append(0)
    }
    data.append(0x3B)
    return data
  }

  private static let clear = 256

  /// The dictionary is cleared before codes would need a tenth bit.
  private static func literals(_ gray: Int, count: Int) -> [Int] {
    var codes: [Int] = []
    for pixel in 0..<count {
      if pixel % 200 == 0 { codes.append(clear) }
      codes.append(gray)
    }
    return codes + [clear + 1]
  }

  /// Codes of nine bits, the lowest first.
  private static func packed(_ codes: [Int]) -> [UInt8] {
    var bytes: [UInt8] = []
    var (bits, count) = (0, 0)
    for code in codes {
      bits |= code << count
      count += 9
      while count >= 8 {
        bytes.append(UInt8(bits & 255))
        bits >>= 8
        count -= 8
      }
    }
    if count > 0 { bytes.append(UInt8(bits & 255)) }
    return bytes
  }
}
