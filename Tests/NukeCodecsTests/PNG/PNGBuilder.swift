import Foundation

/// Puts PNG files together from chunks, also those that no program would write.
struct PNGBuilder {
  private(set) var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

  /// Appends a chunk with a right checksum.
  mutating func add(_ type: String, _ content: Data = Data()) {
    let body = Data(type.utf8) + content
    data += Self.bigEndian(UInt32(content.count)) + body + Self.bigEndian(Self.crc(body))
  }

  mutating func addHeader(
    width: UInt32, height: UInt32, depth: UInt8 = 8, colorType: UInt8 = 2, compression: UInt8 = 0, filter: UInt8 = 0,
    interlace: UInt8 = 0
  ) {
    let tail = Data([depth, colorType, compression, filter, interlace])
    add("IHDR", Self.bigEndian(width) + Self.bigEndian(height) + tail)
  }

  /// The chunk that announces an animation.
  mutating func addAnimation(frames: UInt32, loops: UInt32 = 0) {
    add("acTL", Self.bigEndian(frames) + Self.bigEndian(loops))
  }

  /// The chunk in front of a frame's data. The delay is a tenth of a second.
  mutating func addFrame(
    _ sequence: UInt32, width: UInt32, height: UInt32, x: UInt32 = 0, y: UInt32 = 0, disposal: UInt8 = 0,
    blend: UInt8 = 0
  ) {
    let numbers = [sequence, width, height, x, y].map(Self.bigEndian).reduce(Data(), +)
    add("fcTL", numbers + Data([0, 1, 0, 10, disposal, blend]))
  }

  mutating func addFrameData(_ sequence: UInt32, _ content: Data) {
    add("fdAT", Self.bigEndian(sequence) + content)
  }

  /// The file with a chunk put in behind its header, or where `marker` begins.
  static func inserting(_ type: String, _ content: Data, into file: Data, before marker: String = "IDAT") -> Data {
    var chunk = PNGBuilder()
    chunk.add(type, content)
    guard let found = file.range(of: Data(marker.utf8)) else { return file }
    return file[..<(found.lowerBound - 4)] + chunk.data.dropFirst(8) + file[(found.lowerBound - 4)...]
  }

  static func bigEndian(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }

  /// CRC-32 with the polynomial of ISO 3309 (PNG specification, annex D).
  static func crc(_ bytes: Data) -> UInt32 {
    ~bytes.reduce(UInt32.max) { crc, byte in table[Int((crc ^ UInt32(byte)) & 255)] ^ crc >> 8 }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }
}
