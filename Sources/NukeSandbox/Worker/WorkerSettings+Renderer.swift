import Foundation
import NukeImaging
import NukeServing

extension WorkerSettings {
  /// The renderer of the server.
  ///
  /// - Parameter pixels: the descriptor of the watermark's pixels, which is closed.
  func renderer(pixels: CInt) throws(LockdownFailure) -> Renderer {
    guard let watermark else { return Renderer(limits: limits, settings: settings) }
    let count = watermark.width * watermark.height * 4
    guard let bytes = SealedFile.mapped(pixels, byteCount: count),
      let image = Bitmap(
        pixelWidth: watermark.width, pixelHeight: watermark.height, isOpaque: watermark.isOpaque,
        fill: { buffer in bytes.withUnsafeBytes { buffer.copyMemory(from: $0) } })
    else { throw LockdownFailure("there is no memory for the watermark") }
    return Renderer(
      limits: limits, settings: settings,
      watermark: Watermark(image: image, id: watermark.id, opacity: watermark.opacity))
  }
}
