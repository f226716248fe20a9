import Nuke
import NukeImaging

extension RenditionProcessor {
  /// The image with its colors changed, blurred, sharpened and pixelated, in this order; `nil` without memory.
  func adjusted(_ image: PlatformImage, density: Double) -> PlatformImage? {
    var result: PlatformImage? = image
    if let filter = options.colorFilter { result = result.flatMap(filter.process) }
    if options.blur > 0 { result = result?.gaussianBlurred(sigma: options.blur * density) }
    if options.sharpen > 0 { result = result?.sharpened(radius: options.sharpen * density, 1, luminance: true) }
    if options.pixelate > 1 {
      let side = (Double(options.pixelate) * density).bounded(to: max(image.pixelWidth, image.pixelHeight))
      result = result?.pixelated(side: side)
    }
    return result
  }
}

extension ImageOptions {
  /// The filter that changes each color by itself; `nil` if there is none.
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
