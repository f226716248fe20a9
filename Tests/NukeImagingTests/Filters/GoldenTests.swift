import Foundation
import NukeImaging
import Testing

/// Bit for bit, since every variant of the kernels gives the same pixels. `Scripts/goldens` makes the images anew after
/// a change that is meant, and shows what it changes.
@Suite("Results do not change unnoticed")
struct GoldenTests {
  private static let families = ["color", "blends", "effects"]

  private static func family(of filter: any ImageFilter) -> String {
    if filter is any ColorFiltering { return "color" }
    return filter.name.hasSuffix("BlendMode") || filter.name.hasSuffix("Compositing") ? "blends" : "effects"
  }

  @Test("Each filter produces the recorded pixels", arguments: families)
  func filters(_ family: String) throws {
    let postcard = try ReferenceCase.source("postcard")
    let examples = try FilterExample.names.map { try FilterExample($0, for: postcard) }
    let images = try examples.filter { Self.family(of: $0.filter) == family }.map {
      (name: $0.filter.name, image: try $0.apply(to: postcard))
    }
    for fault in try GoldenSheet.faults(family, images) { Issue.record("\(fault)") }
  }

  @Test("Each processor produces the recorded pixels")
  func processors() throws {
    let postcard = try ReferenceCase.source("postcard")
    let images = try Self.processors.map { name, process in
      (name: name, image: try #require(try process(postcard), "\(name) gave nothing"))
    }
    for fault in try GoldenSheet.faults("processors", images) { Issue.record("\(fault)") }
  }

  private static let outline = Bitmap.Outline(color: Color(red: 1, green: 1, blue: 1, alpha: 0.8), width: 1.5)
  private static let sea = Color(red: 0, green: 0.4, blue: 0.7, alpha: 0.5)

  private static func corners(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> RoundedShape.Corners {
    .init(
      topLeft: .init(radius: a), topRight: .init(radius: b), bottomLeft: .init(radius: c), bottomRight: .init(radius: d)
    )
  }

  private static func resized(
    _ image: Bitmap, _ width: Int, _ height: Int, crop: Bool = false, filter: ResamplingFilter = .lanczos3
  ) throws -> Bitmap? {
    let geometry = try ResizeGeometry(
      sourceWidth: image.pixelWidth, sourceHeight: image.pixelHeight, target: CGSize(width: width, height: height),
      contentMode: crop ? .aspectFill : .fill, crop: crop, upscale: true)
    return image.resized(try #require(geometry), filter: filter)
  }

  private static let processors: [(name: String, process: @Sendable (Bitmap) throws -> Bitmap?)] = [
    ("resize", { try resized($0, 20, 15) }), ("resize, larger", { try resized($0, 41, 30) }),
    ("resize, cropped", { try resized($0, 14, 14, crop: true) }),
    ("resize, area", { try resized($0, 20, 15, filter: .area) }),
    ("circle", { $0.croppedToSquare()?.clipped(to: corners(99, 99, 99, 99)) }),
    ("circle, border", { $0.croppedToSquare()?.clipped(to: corners(99, 99, 99, 99), outline: outline) }),
    ("ellipse", { $0.clipped(to: .init(all: .init(width: 16, height: 12))) }),
    ("roundedCorners", { $0.clipped(to: corners(6, 6, 6, 6)) }),
    ("roundedCorners, each", { $0.clipped(to: corners(3, 12, 0, 7.5), outline: outline) }),
    ("border", { $0.clipped(to: corners(0, 0, 0, 0), outline: outline) }),
    ("gaussianBlur", { $0.gaussianBlurred(sigma: 8) }), ("gaussianBlur, 2", { $0.gaussianBlurred(sigma: 2) }),
    ("sharpen", { $0.sharpened(radius: 1, 0.5, luminance: true) }),
    ("rotate, 90", { $0.rotated(degrees: 90) }), ("rotate, 20", { $0.rotated(degrees: 20) }),
    ("flip, horizontal", { $0.turned(.upMirrored) }), ("flip, vertical", { $0.turned(.downMirrored) }),
    ("crop", { $0.cropped(x: 5, y: 3, width: 20, height: 16) }),
    (
      "crop, attention",
      { image in
        let (x, y) = image.busiest(width: 12, height: 10)
        return image.cropped(x: x, y: y, width: 12, height: 10)
      }
    ),
    ("pad", { $0.placed(x: 4, y: 2, width: 40, height: 28, fill: (20, 40, 60, 255)) }),
    ("flatten", { $0.flattened(.white) }),
    (
      "overlay",
      { image in
        let patch = try ReferenceCase.source("patch")
        return patch.placed(x: 21, y: 15, width: 32, height: 24)?.blended(over: image, .normal, opacity: 0.7)
      }
    ),
    ("blend", { $0.tinted(sea, .normal) }), ("blend, multiply", { $0.tinted(sea, .multiply) }),
  ]
}
