import Foundation
import NukeCodecs
import NukeImaging
import NukeServing

/// The settings of a worker, sent once at the start.
struct WorkerSettings: Sendable, Codable {
  var limits = RenderLimits()
  var settings = RenderSettings()
  /// The maximum of the worker's own memory, in bytes.
  var memoryLimit = 0
  /// The folders that the worker may read, for text in SVG.
  var folders: [String] = []
  var watermark: WatermarkSettings?

  /// A watermark without its pixels.
  struct WatermarkSettings: Sendable, Codable {
    var id = ""
    var opacity = 0.0
    var width = 0
    var height = 0
    var isOpaque = false
  }

  /// Creates the worker's renderer, which equals the server's.
  ///
  /// - Parameter pixels: the descriptor of the watermark's pixels. It is closed.
  func renderer(pixels: CInt) throws(WorkerError) -> Renderer {
    guard let watermark else { return Renderer(limits: limits, settings: settings) }
    let count = watermark.width * watermark.height * 4
    guard let bytes = SealedFile.mapped(pixels, byteCount: count),
      let image = Bitmap(
        pixelWidth: watermark.width, pixelHeight: watermark.height, isOpaque: watermark.isOpaque,
        fill: { buffer in bytes.withUnsafeBytes { buffer.copyMemory(from: $0) } })
    else { throw WorkerError("out of memory for the watermark") }
    return Renderer(
      limits: limits, settings: settings,
      watermark: Watermark(image: image, id: watermark.id, opacity: watermark.opacity))
  }
}
