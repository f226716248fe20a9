import Foundation
import NukeImaging

/// An image in double precision that is looked up between its pixels; places count from the lower left corner.
struct ReferenceSampling {
  let width: Int
  let height: Int
  let channels: [Double]
  let ends: Bool

  init(_ image: Bitmap, ends: Bool) {
    (width, height) = (image.pixelWidth, image.pixelHeight)
    channels = image.bytes.map(Double.init)
    self.ends = ends
  }

  /// A channel of a pixel, the row counted from below.
  func pixel(_ x: Int, _ y: Int, _ channel: Int) -> Double {
    if ends, x < 0 || y < 0 || x >= width || y >= height { return 0 }
    let (column, row) = (min(max(x, 0), width - 1), height - 1 - min(max(y, 0), height - 1))
    return channels[(row * width + column) * 4 + channel]
  }

  /// The four channels from 0 to 255, bilinear.
  func value(_ x: Double, _ y: Double) -> [Double] {
    guard x.isFinite, y.isFinite else { return [0, 0, 0, 0] }
    // Far outside nothing changes any more.
    let (u, v) = (min(max(x, -9), Double(width) + 9) - 0.5, min(max(y, -9), Double(height) + 9) - 0.5)
    let (left, bottom) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
    let (s, t) = (u - Double(left), v - Double(bottom))
    return (0..<4).map { c in
      (1 - t) * ((1 - s) * pixel(left, bottom, c) + s * pixel(left + 1, bottom, c))
        + t * ((1 - s) * pixel(left, bottom + 1, c) + s * pixel(left + 1, bottom + 1, c))
    }
  }
}

/// How far an image is from what was expected of it.
struct Deviations {
  /// The most a channel differs, of 255, but for the pixels left out.
  let worst: Double

  /// - Parameters:
  ///   - leavingOut: the share of pixels that may differ by more, as those on a boundary where a hair decides.
  init(_ image: Bitmap, _ expected: [Double], leavingOut share: Double = 0) {
    let bytes = image.bytes
    guard bytes.count == expected.count else {
      worst = .infinity
      return
    }
    let all = stride(from: 0, to: bytes.count, by: 4).map { place in
      (place..<place + 4).reduce(0) { max($0, abs(Double(bytes[$1]) - expected[$1])) }
    }
    worst = all.sorted()[max(all.count - 1 - Int(Double(all.count) * share), 0)]
  }
}

/// What tests of the catalog share.
enum Catalog {
  static func apply(_ name: String, _ parameters: [String: Any] = [:], to image: Bitmap) throws -> Bitmap {
    let filter = try ImageFilters.filter(named: name)
    return try filter.apply(ImageFilterValues(parameters, for: filter), to: image)
  }
}
