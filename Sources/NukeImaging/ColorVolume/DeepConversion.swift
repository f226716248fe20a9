import CNukeKernels

/// Converts straight RGBA with up to 16 bits per channel to straight RGBA8 in sRGB. It can be used from any thread.
final class DeepConversion: Sendable {
  /// The maximum number of bits of a curve's index. This is finer than 8 bits of sRGB.
  private static let curveBits = 14

  private let bits: Int
  private let shift: Int
  private let curves: [[Float]]
  private let matrix: [Float]
  /// Empty if the transfer function describes display light.
  private let sceneTable: [Float]
  /// Empty if the image has no high dynamic range.
  private let toneTable: [Float]

  init(bits: Int, matrix: ColorMatrix, red: ToneCurve, green: ToneCurve, blue: ToneCurve) {
    self.bits = bits
    shift = max(bits - Self.curveBits, 0)
    self.matrix = Self.rows(matrix.toSRGB)
    curves = [red, green, blue].map { curve in Self.curve(bits: bits) { curve.linear($0) } }
    sceneTable = []
    toneTable = []
  }

  init(bits: Int, matrix: ColorMatrix, range: HighRange) {
    self.bits = bits
    shift = max(bits - Self.curveBits, 0)
    self.matrix = Self.rows(matrix.toSRGB)
    curves = [Self.curve(bits: bits) { range.linear($0) }]
    sceneTable = range.sceneTable ?? []
    toneTable = range.toneTable
  }

  private static func rows(_ matrix: ColorMatrix) -> [Float] {
    let columns = matrix.columns
    return (0..<3).flatMap { [Float(columns.0[$0]), Float(columns.1[$0]), Float(columns.2[$0])] }
  }

  /// Each entry is computed for the middle of the range of components that share it.
  private static func curve(bits: Int, _ linear: (Double) -> Double) -> [Float] {
    let shift = max(bits - curveBits, 0)
    let middle = Double((1 << shift) - 1) / 2
    return (0..<1 << (bits - shift)).map { entry in
      Float(linear((Double(entry << shift) + middle) / Double((1 << bits) - 1)))
    }
  }

  func convert(_ source: UnsafePointer<UInt16>, to target: UnsafeMutablePointer<UInt8>, pixelCount: Int) {
    var conversion = nuke_deep_conversion()
    conversion.bits = Int32(bits)
    conversion.shift = Int32(shift)
    // BT.2020's coefficients: BT.2100 defines HLG only for its primaries.
    conversion.luminance = (0.2627, 0.6780, 0.0593)
    conversion.scale = Int32(SRGB.encodeScale)
    withUnsafeMutableBytes(of: &conversion.matrix) { matrix.withUnsafeBytes($0.copyMemory) }
    curves[0].withUnsafeBufferPointer { red in
      curves[curves.count / 2].withUnsafeBufferPointer { green in
        curves[curves.count - 1].withUnsafeBufferPointer { blue in
          sceneTable.withUnsafeBufferPointer { scene in
            toneTable.withUnsafeBufferPointer { tone in
              SRGB.encodeTable.withUnsafeBufferPointer { encoding in
                conversion.curves = (red.baseAddress, green.baseAddress, blue.baseAddress)
                conversion.scene = scene.isEmpty ? nil : scene.baseAddress
                conversion.tone = tone.isEmpty ? nil : tone.baseAddress
                conversion.encoding = encoding.baseAddress
                nuke_deep_to_srgb(target, source, pixelCount, &conversion)
              }
            }
          }
        }
      }
    }
  }
}

extension DeepConversion {
  /// Converts pixels with 8 bits per channel in place.
  func convertBytes(_ pixels: UnsafeMutablePointer<UInt8>, pixelCount: Int) {
    var components = [UInt16](repeating: 0, count: min(pixelCount, 256) * 4)
    var done = 0
    while done < pixelCount {
      let count = min(pixelCount - done, 256)
      let target = pixels + done * 4
      for index in 0..<count * 4 { components[index] = UInt16(target[index]) }
      convert(components, to: target, pixelCount: count)
      done += count
    }
  }
}
