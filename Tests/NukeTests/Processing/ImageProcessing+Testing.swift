import Nuke
import NukeTesting

extension ImageProcessing {
  /// Returns the result for `container`, as at the end of a load.
  func processed(_ container: ImageContainer) throws -> ImageContainer {
    let request = ImageRequest(url: nil)
    let response = ImageResponse(container: container, request: request)
    return try process(container, context: .init(request: request, response: response, isCompleted: true))
  }

  func processed(_ image: PlatformImage) throws -> PlatformImage { try processed(ImageContainer(image: image)).image }

  /// Returns the sentence of the error for `image`; "none" if it is processed.
  func error(_ image: PlatformImage) -> String {
    do {
      _ = try processed(image)
      return "none"
    } catch { return "\(error)" }
  }
}

extension PlatformImage {
  var pixelSize: [Int] { [pixelWidth, pixelHeight] }

  func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(pixels[y * bytesPerRow + x * 4..<y * bytesPerRow + x * 4 + 4]) }

  /// The alpha of each pixel.
  var alphas: [UInt8] {
    let pixels = pixels
    return stride(from: 3, to: pixels.count, by: 4).map { pixels[$0] }
  }

  /// Whether no color exceeds its alpha.
  var isPremultiplied: Bool {
    let pixels = pixels
    return stride(from: 0, to: pixels.count, by: 4).allSatisfy { i in
      pixels[i..<i + 3].allSatisfy { $0 <= pixels[i + 3] }
    }
  }
}
