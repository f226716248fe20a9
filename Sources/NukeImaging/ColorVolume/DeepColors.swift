/// A conversion of components with more than 8 bits to bytes in sRGB. It can be used from any thread.
enum DeepColors: Sendable {
  /// Rounds components without color conversion.
  case rounded
  /// Applies curves and a matrix.
  case light(DeepConversion)
  /// Looks up the byte of a gray by the highest 14 of 16 bits.
  case gray([UInt8])
  /// Converts with Little CMS, from 16 bits.
  case lcms(LCMSTransform)

  private static let grayShift = 2

  /// Each entry is computed for the middle of the range of components that share it.
  static func grayTable(_ transform: LCMSTransform) -> [UInt8] {
    transform.grayTable((0..<1 << (16 - grayShift)).map { UInt16($0 << grayShift | 1 << (grayShift - 1)) })
  }

  func convert(
    _ source: UnsafePointer<UInt16>, bits: Int, to target: UnsafeMutablePointer<UInt8>, pixelCount: Int
  ) {
    switch self {
    case .light(let conversion): conversion.convert(source, to: target, pixelCount: pixelCount)
    case .rounded: Self.round(source, bits: bits, to: target, count: pixelCount * 4)
    case .gray where bits < 16, .lcms where bits < 16:
      convertWidened(source, bits: bits, to: target, pixelCount: pixelCount)
    case .lcms(let transform): transform.convert(source, to: target, pixelCount: pixelCount)
    case .gray(let table):
      Self.round(source, bits: bits, to: target, count: pixelCount * 4)
      table.withUnsafeBufferPointer { table in
        for index in 0..<pixelCount * 4 where index % 4 != 3 {
          target[index] = table[Int(source[index] >> Self.grayShift)]
        }
      }
    }
  }

  private static func round(
    _ source: UnsafePointer<UInt16>, bits: Int, to target: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    let largest = UInt32(1) << UInt32(bits) - 1
    for index in 0..<count {
      target[index] = UInt8((min(UInt32(source[index]), largest) * 255 + largest / 2) / largest)
    }
  }

  /// Scales components to 16 bits first.
  private func convertWidened(
    _ source: UnsafePointer<UInt16>, bits: Int, to target: UnsafeMutablePointer<UInt8>, pixelCount: Int
  ) {
    let largest = UInt32(1) << UInt32(bits) - 1
    var components = [UInt16](repeating: 0, count: min(pixelCount, 256) * 4)
    var done = 0
    while done < pixelCount {
      let count = min(pixelCount - done, 256)
      for index in 0..<count * 4 {
        components[index] = UInt16((min(UInt32(source[done * 4 + index]), largest) * 65_535 + largest / 2) / largest)
      }
      convert(components, bits: 16, to: target + done * 4, pixelCount: count)
      done += count
    }
  }
}
