import NukeCodecs
import NukeImaging

/// The upper left corners of the cropped region and of the cut region.
struct Corners: Sendable {
  let crop: (x: Int, y: Int)
  let cut: (x: Int, y: Int)
}

extension RenditionGeometry.Part {
  /// `nil` if the pixels decide.
  var corner: (x: Int, y: Int)? {
    if case .at(let x, let y) = origin { (x, y) } else { nil }
  }
}

extension RenditionGeometry {
  /// `nil` if the pixels decide.
  var corners: Corners? {
    guard let crop = crop.corner, let cut = cut.corner else { return nil }
    return Corners(crop: crop, cut: cut)
  }

  // MARK: Sampling

  /// Returns the region of a decoded image that the source covers. A decoder that reduces the image rounds sides up, so
  /// the last pixels are partly outside the source.
  func area(decodedAs width: Int, _ height: Int) -> PixelRegion {
    for denominator in [1, 2, 4, 8] {
      let sides = ((source.width - 1) / denominator + 1, (source.height - 1) / denominator + 1)
      guard sides == (width, height) else { continue }
      return PixelRegion(
        x: 0, y: 0, width: Double(source.width) / Double(denominator),
        height: Double(source.height) / Double(denominator))
    }
    return PixelRegion(x: 0, y: 0, width: Double(width), height: Double(height))
  }

  /// Returns the sampled region of the rotated source, in its pixels.
  private func turnedRegion(_ corners: Corners) -> PixelRegion {
    let across = Double(crop.size.width) / Double(scaled.width)
    let down = Double(crop.size.height) / Double(scaled.height)
    return PixelRegion(
      x: Double(corners.crop.x) + Double(corners.cut.x) * across,
      y: Double(corners.crop.y) + Double(corners.cut.y) * down, width: Double(cut.size.width) * across,
      height: Double(cut.size.height) * down)
  }

  /// Returns the cropped region of the decoded pixels.
  func croppedRegion(of area: PixelRegion, _ corners: Corners) -> PixelRegion {
    decoded(region(at: corners.crop, crop.size), in: area)
  }

  private func region(at corner: (x: Int, y: Int), _ size: Size) -> PixelRegion {
    PixelRegion(
      x: Double(corner.x), y: Double(corner.y), width: Double(size.width), height: Double(size.height))
  }

  /// Returns the sampled region of the decoded pixels.
  func sampledRegion(of area: PixelRegion, _ corners: Corners) -> PixelRegion {
    decoded(turnedRegion(corners), in: area)
  }

  /// Converts a region of the rotated source to the decoded pixels.
  private func decoded(_ part: PixelRegion, in area: PixelRegion) -> PixelRegion {
    let region = turn.region(before: part, in: (Double(turned.width), Double(turned.height)))
    let (across, down) = (area.width / Double(source.width), area.height / Double(source.height))
    return PixelRegion(
      x: area.x + region.x * across, y: area.y + region.y * down, width: region.width * across,
      height: region.height * down
    ).snapped
  }

  /// Returns where a region of the decoded pixels is in the result of sampling, which is turned, in its pixels.
  func sampled(_ part: PixelRegion, of area: PixelRegion, _ corners: Corners) -> PixelRegion {
    let region = sampledRegion(of: area, corners)
    func share(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      turn.shares(after: (x - region.x) / region.width, (y - region.y) / region.height)
    }
    let (one, other) = (share(part.x, part.y), share(part.x + part.width, part.y + part.height))
    let (width, height) = (Double(cut.size.width), Double(cut.size.height))
    return PixelRegion(
      x: min(one.x, other.x) * width, y: min(one.y, other.y) * height, width: abs(one.x - other.x) * width,
      height: abs(one.y - other.y) * height
    ).snapped
  }

  /// `true` if the image is scaled down.
  var isReduced: Bool { scaled.width < crop.size.width || scaled.height < crop.size.height }

  // MARK: Smart gravity

  /// Returns the corners, with the region of most detail where the options ask for it.
  func corners(in image: Bitmap, _ area: PixelRegion) -> Corners {
    let crop = crop.corner ?? corner(of: self.crop, in: turned, region(at: (0, 0), turned), image, area)
    let part = region(at: crop, self.crop.size)
    return Corners(crop: crop, cut: cut.corner ?? corner(of: cut, in: scaled, part, image, area))
  }

  /// Returns the corner of a part of `whole`, which shows a region of the rotated source.
  private func corner(
    of part: Part, in whole: Size, _ region: PixelRegion, _ image: Bitmap, _ area: PixelRegion
  ) -> (x: Int, y: Int) {
    let (freeX, freeY) = (whole.width - part.size.width, whole.height - part.size.height)
    guard let (view, _, _) = image.view(of: decoded(region, in: area)) else { return (freeX / 2, freeY / 2) }
    var shares = (
      x: Double(part.size.width) / Double(whole.width), y: Double(part.size.height) / Double(whole.height)
    )
    if turn.swapsAxes { shares = (shares.y, shares.x) }
    let width = min(max(Int((shares.x * Double(view.pixelWidth)).rounded()), 1), view.pixelWidth)
    let height = min(max(Int((shares.y * Double(view.pixelHeight)).rounded()), 1), view.pixelHeight)
    let found = view.busiest(width: width, height: height)
    func share(_ position: Int, of free: Int) -> Double { free > 0 ? Double(position) / Double(free) : 0.5 }
    let corner = turn.shares(
      after: share(found.x, of: view.pixelWidth - width), share(found.y, of: view.pixelHeight - height))
    return (Int((corner.x * Double(freeX)).rounded()), Int((corner.y * Double(freeY)).rounded()))
  }

  // MARK: Decoding

  /// The largest reduction at which the sampled region still has enough pixels.
  func scaleDenominator(of available: [Int]) -> Int {
    // The number of pixels does not depend on the position of the region.
    let region = turn.region(
      before: turnedRegion(Corners(crop: (0, 0), cut: (0, 0))), in: (Double(turned.width), Double(turned.height)))
    let swaps = turn.swapsAxes
    return ResizeGeometry(
      sourceWidth: source.width, sourceHeight: source.height, region: region,
      outputWidth: swaps ? cut.size.height : cut.size.width, outputHeight: swaps ? cut.size.width : cut.size.height
    ).scaleDenominator(available: available)
  }

  /// The size at which to draw a vector image, so that it only needs to be cut afterwards.
  var drawnSize: DecodeOptions.TargetSize {
    let width = Double(turned.width) * Double(scaled.width) / Double(crop.size.width)
    let height = Double(turned.height) * Double(scaled.height) / Double(crop.size.height)
    func side(_ length: Double) -> Int { max(Int(min(length.rounded(), 1e9)), 1) }
    return turn.swapsAxes
      ? DecodeOptions.TargetSize(width: side(height), height: side(width))
      : DecodeOptions.TargetSize(width: side(width), height: side(height))
  }
}

extension PixelRegion {
  /// The region with edges rounded to whole pixels if they are closer than a millionth of a pixel, which is a rounding
  /// error.
  fileprivate var snapped: PixelRegion {
    func whole(_ value: Double) -> Double { abs(value - value.rounded()) < 1e-6 ? value.rounded() : value }
    let (left, top) = (whole(x), whole(y))
    return PixelRegion(x: left, y: top, width: whole(x + width) - left, height: whole(y + height) - top)
  }

  /// Returns the pixels of an image that the region touches.
  func touchedPixels(of imageWidth: Int, _ imageHeight: Int) -> RowSampling.Crop {
    let (left, top) = (x.bounded(to: imageWidth - 1), y.bounded(to: imageHeight - 1))
    let right = (x + width).rounded(.up).bounded(to: imageWidth)
    let bottom = (y + height).rounded(.up).bounded(to: imageHeight)
    return RowSampling.Crop(x: left, y: top, width: max(right - left, 1), height: max(bottom - top, 1))
  }

  /// The region in whole pixels; `nil` if an edge lies within a pixel.
  var wholePixels: (x: Int, y: Int, width: Int, height: Int)? {
    guard let x = Int(exactly: x), let y = Int(exactly: y), let width = Int(exactly: width),
      let height = Int(exactly: height)
    else { return nil }
    return (x, y, width, height)
  }
}

extension Bitmap {
  /// Returns a region scaled to the given size.
  func sampled(_ region: PixelRegion, width: Int, height: Int) -> Bitmap? {
    if let part = region.wholePixels, (part.width, part.height) == (width, height) {
      return cropped(x: part.x, y: part.y, width: width, height: height)
    }
    return resized(
      ResizeGeometry(
        sourceWidth: pixelWidth, sourceHeight: pixelHeight, region: region, outputWidth: width, outputHeight: height))
  }

  /// Returns the pixels that a region touches, and their origin. Returns the image itself if that is all of it.
  func view(of region: PixelRegion) -> (Bitmap, x: Int, y: Int)? {
    let crop = region.touchedPixels(of: pixelWidth, pixelHeight)
    return cropped(x: crop.x, y: crop.y, width: crop.width, height: crop.height).map { ($0, crop.x, crop.y) }
  }
}
