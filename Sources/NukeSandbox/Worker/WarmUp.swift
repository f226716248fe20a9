import Foundation
import NukeCodecs
import NukeImaging
import NukeServing

/// Uses all image libraries once before a worker is sandboxed. On first use, they open files and query the system,
/// which is not possible afterwards.
enum WarmUp {
  /// Opens the libraries of all formats. A format whose library is missing fails later, with the reason.
  static func openLibraries() {
    for format in ImageFormat.readable { _ = format.libraryFailure }
  }

  /// Encodes and decodes one small image in each format.
  static func run(_ handler: any WorkerRequestHandler) {
    guard let image = image else { return }
    let url = URL(fileURLWithPath: "/")
    for format in ImageFormat.writable {
      var options = ImageOptions()
      (options.width, options.height) = (8, 8)
      let request = RenditionRequest(source: url, options: options, format: format)
      guard case .file(let file)? = try? handler.render(request, image, nil) else { continue }
      _ = try? handler.render(RenditionRequest(source: url, options: options, format: .png), file.data, nil)
    }
    if ImageFormat.readable.contains(.svg) {
      _ = try? handler.render(RenditionRequest(source: url, format: .png), Data(drawing.utf8), nil)
    }
  }

  private static var image: Data? {
    let bitmap = Bitmap(pixelWidth: 16, pixelHeight: 16, isOpaque: true) { pixels in
      for index in pixels.indices { pixels[index] = index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: index * 7) }
    }
    guard let bitmap else { return nil }
    return try? ImageWriters.writer(for: .png).encode(bitmap)
  }

  private static let drawing = """
    <svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><text x="2" y="15" font-family="sans-serif">Aa1</text></svg>
    """
}
