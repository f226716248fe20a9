import Nuke
import NukeImaging

extension RenditionProcessor {
  /// Applies color adjustments, palettes, blur, sharpening, the unsharp mask and pixelation, in this order. Returns `nil`
  /// if memory cannot be allocated.
  func adjusted(_ image: PlatformImage, _ geometry: RenditionGeometry) -> PlatformImage? {
    var result: PlatformImage? = image
    if let filter = options.colorFilter { result = result.flatMap(filter.process) }
    if let monochrome = options.monochrome { result = result?.toned(monochrome) }
    if let duotone = options.duotone { result = result?.toned(duotone) }
    if options.blur > 0 { result = result?.gaussianBlurred(sigma: options.blur) }
    if options.sharpen > 0 { result = result?.sharpened(radius: options.sharpen, 1, luminance: true) }
    if let mask = options.unsharpMask, appliesUnsharpMask(mask.mode, geometry) {
      result = result?.sharpened(by: mask)
    }
    if options.pixelate > 1 {
      let side = min(options.pixelate, max(image.pixelWidth, image.pixelHeight))
      result = result?.pixelated(side: side)
    }
    return result
  }

  private func appliesUnsharpMask(_ mode: ImageOptions.UnsharpMask.Mode, _ geometry: RenditionGeometry) -> Bool {
    switch mode {
    case .none: false
    case .always: true
    case .auto: !isVector && options.sharpen <= 0 && geometry.isReduced
    }
  }

  /// Returns the image with the color and the gradient over it. Returns `nil` if memory cannot be allocated.
  func covered(_ image: PlatformImage) -> PlatformImage? {
    var result: PlatformImage? = image
    if let colorize = options.colorize { result = result?.covered(by: colorize) }
    if let gradient = options.gradient { result = result?.covered(by: gradient) }
    return result
  }
}

extension ImageOptions {
  /// `true` if pixels are changed after sampling.
  var hasEffects: Bool {
    colorFilter != nil || monochrome != nil || duotone != nil || blur > 0 || sharpen > 0 || pixelate > 1
      || (unsharpMask.map { $0.mode != .none } ?? false) || blurAreas != nil || colorize != nil || gradient != nil
  }

  /// `true` if a watermark is turned, or has a shadow.
  var turnsWatermark: Bool { watermarkRotation != 0 || watermarkShadow > 0 }

  /// The filter that changes each pixel's color independently; `nil` if there is none.
  fileprivate var colorFilter: ImageProcessors.CoreImageFilter? {
    func factor(_ value: Double) -> Double { value.isNaN ? 1 : min(max(value, 0), 1000) }
    guard brightness != 0 || factor(contrast) != 1 || factor(saturation) != 1 else { return nil }
    return ImageProcessors.CoreImageFilter(
      name: "CIColorControls",
      parameters: [
        "inputBrightness": Double(brightness) / 255, "inputContrast": factor(contrast),
        "inputSaturation": factor(saturation),
      ], identifier: "org.nuke.rendition.colors")
  }
}

extension Bitmap {
  /// Replaces squares of pixels by their mean color, starting at the upper left. Returns `nil` if memory cannot be
  /// allocated.
  func pixelated(side: Int) -> Bitmap? {
    guard side > 1 else { return self }
    guard let source = buffer, let result = PixelBuffer(width: pixelWidth, height: pixelHeight) else { return nil }
    let columns = (pixelWidth - 1) / side + 1
    var sums = [SIMD4<Int>](repeating: .zero, count: columns)
    for top in stride(from: 0, to: pixelHeight, by: side) {
      let rows = top..<min(top + side, pixelHeight)
      for column in sums.indices { sums[column] = .zero }
      for y in rows {
        let pixels = UnsafeRawPointer(source.row(y)).assumingMemoryBound(to: SIMD4<UInt8>.self)
        for column in sums.indices {
          for x in column * side..<min((column + 1) * side, pixelWidth) {
            sums[column] &+= SIMD4<Int>(truncatingIfNeeded: pixels[x])
          }
        }
      }
      let first = UnsafeMutableRawPointer(result.row(top)).bindMemory(to: SIMD4<UInt8>.self, capacity: pixelWidth)
      for column in sums.indices {
        let span = column * side..<min((column + 1) * side, pixelWidth)
        let count = span.count * rows.count
        let mean = (sums[column] &+ SIMD4(repeating: count / 2)) / SIMD4(repeating: count)
        (first + span.lowerBound).update(repeating: SIMD4<UInt8>(truncatingIfNeeded: mean), count: span.count)
      }
      for y in rows.dropFirst() { result.row(y).update(from: result.row(top), count: bytesPerRow) }
    }
    return withExtendedLifetime(self) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }
}
