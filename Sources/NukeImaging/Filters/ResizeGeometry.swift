package import Foundation

/// The region of an image that is sampled, and the size of the result, computed before any pixel is read.
///
/// Cropping is part of the sampling and needs no second pass. All sizes are in pixels.
package struct ResizeGeometry: Hashable, Sendable {
  /// The way an image of another aspect ratio is fitted to the target.
  package enum ContentMode: Hashable, Sendable {
    /// Keeps the aspect ratio and fills the target. Parts outside are kept unless they are cropped.
    case aspectFill
    /// Keeps the aspect ratio and fits into the target.
    case aspectFit
    /// Changes the aspect ratio to that of the target.
    case fill
  }

  /// A rectangle in source pixels with fractional coordinates.
  package struct Region: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// The result would exceed the maximum number of pixels, or have a side longer than ``longestSide``.
  package struct TooManyPixels: Error, Hashable, CustomStringConvertible {
    package let width: Double
    package let height: Double
    package let limit: Int

    package var description: String {
      "resizing to \(width) x \(height) pixels exceeds the limit of \(limit) pixels, or \(longestSide) per side"
    }
  }

  /// The default maximum number of pixels in a result.
  package static let defaultPixelLimit = 100_000_000
  /// The maximum side of a result.
  package static let longestSide = 65_536

  package let sourceWidth: Int
  package let sourceHeight: Int
  package let region: Region
  package let outputWidth: Int
  package let outputHeight: Int

  /// Creates the geometry of a resize. Returns `nil` if the image stays unchanged.
  ///
  /// The image is scaled to `target`. Sides are rounded to whole pixels and are at least 1. The image stays unchanged
  /// if it already has that size, if it would be enlarged and `upscale` is `false`, or if a side of the target is zero,
  /// negative or NaN.
  ///
  /// - Parameters:
  ///   - sourceWidth: the width of the image.
  ///   - sourceHeight: the height of the image.
  ///   - target: the requested size. With ``ContentMode/aspectFit``, one side may be infinite, so that only the other
  ///     one matters.
  ///   - contentMode: determines how the image is fitted to the target.
  ///   - crop: with ``ContentMode/aspectFill``, crops the center to the aspect ratio of the target. An image that is
  ///     smaller than the target keeps its scale unless `upscale` is set. Ignored with the other modes.
  ///   - upscale: `true` to enlarge images that are smaller than the target.
  ///   - pixelLimit: the maximum number of pixels in a result.
  /// - Throws: ``TooManyPixels``.
  package init?(
    sourceWidth: Int, sourceHeight: Int, target: CGSize, contentMode: ContentMode = .aspectFill, crop: Bool = false,
    upscale: Bool = false, pixelLimit: Int = defaultPixelLimit
  ) throws(TooManyPixels) {
    let (width, height) = (Double(sourceWidth), Double(sourceHeight))
    let (targetWidth, targetHeight) = (Double(target.width), Double(target.height))
    guard sourceWidth > 0, sourceHeight > 0, targetWidth > 0, targetHeight > 0 else { return nil }

    var region = Region(x: 0, y: 0, width: width, height: height)
    let output: (width: Double, height: Double)
    let (horizontal, vertical) = (targetWidth / width, targetHeight / height)
    switch contentMode {
    case .aspectFill where crop:
      guard targetWidth.isFinite, targetHeight.isFinite else { return nil }
      let (exactWidth, exactHeight) = (max(targetWidth.rounded(), 1), max(targetHeight.rounded(), 1))
      // The region of the source with the aspect ratio of the result.
      let scale = max(exactWidth / width, exactHeight / height)
      region.width = min(exactWidth / scale, width)
      region.height = min(exactHeight / scale, height)
      if upscale || scale <= 1 {
        output = (exactWidth, exactHeight)
      } else {
        // Cropped to whole pixels, so that no pixel is resampled.
        output = (max(region.width.rounded(), 1), max(region.height.rounded(), 1))
        (region.width, region.height) = output
      }
      region.x = (width - region.width) / 2
      region.y = (height - region.height) / 2
      if !upscale, scale > 1 { (region.x, region.y) = (region.x.rounded(.down), region.y.rounded(.down)) }
    case .aspectFill, .aspectFit:
      let scale = contentMode == .aspectFill ? max(horizontal, vertical) : min(horizontal, vertical)
      guard scale.isFinite, upscale || scale < 1 else { return nil }
      output = (max((width * scale).rounded(), 1), max((height * scale).rounded(), 1))
    case .fill:
      guard targetWidth.isFinite, targetHeight.isFinite else { return nil }
      let (scaleX, scaleY) = upscale ? (horizontal, vertical) : (min(horizontal, 1), min(vertical, 1))
      output = (max((width * scaleX).rounded(), 1), max((height * scaleY).rounded(), 1))
    }

    guard output.width * output.height <= Double(pixelLimit),
      max(output.width, output.height) <= Double(Self.longestSide)
    else {
      throw TooManyPixels(width: output.width, height: output.height, limit: pixelLimit)
    }
    if output == (width, height), region.width == width, region.height == height { return nil }
    self.sourceWidth = sourceWidth
    self.sourceHeight = sourceHeight
    self.region = region
    outputWidth = Int(output.width)
    outputHeight = Int(output.height)
  }

  /// Creates the geometry that resizes an image to a width in pixels. Returns `nil` if the image stays unchanged.
  package init?(
    sourceWidth: Int, sourceHeight: Int, width: Double, upscale: Bool = false, pixelLimit: Int = defaultPixelLimit
  ) throws(TooManyPixels) {
    guard width.isFinite else { return nil }
    try self.init(
      sourceWidth: sourceWidth, sourceHeight: sourceHeight, target: CGSize(width: width, height: .infinity),
      contentMode: .aspectFit, upscale: upscale, pixelLimit: pixelLimit)
  }

  /// Creates the geometry that resizes an image to a height in pixels. Returns `nil` if the image stays unchanged.
  package init?(
    sourceWidth: Int, sourceHeight: Int, height: Double, upscale: Bool = false, pixelLimit: Int = defaultPixelLimit
  ) throws(TooManyPixels) {
    guard height.isFinite else { return nil }
    try self.init(
      sourceWidth: sourceWidth, sourceHeight: sourceHeight, target: CGSize(width: .infinity, height: height),
      contentMode: .aspectFit, upscale: upscale, pixelLimit: pixelLimit)
  }

  /// Creates the geometry that scales a region of the source to a size.
  package init(
    sourceWidth: Int, sourceHeight: Int, region: Region, outputWidth: Int, outputHeight: Int
  ) {
    self.sourceWidth = sourceWidth
    self.sourceHeight = sourceHeight
    self.region = region
    self.outputWidth = outputWidth
    self.outputHeight = outputHeight
  }
}

// MARK: - Decoding at a reduced size

extension ResizeGeometry {
  /// The minimum number of decoded pixels for each pixel of the result, along each axis.
  package enum DecodeScale: Double, Sendable {
    /// Decodes at least as many pixels as the result has.
    case fast = 1
    /// Decodes at least twice as many pixels, for a sharper result.
    case balanced = 2
  }

  /// Returns the largest reduction that leaves enough pixels for the result; 1 if there is none.
  ///
  /// - Parameters:
  ///   - available: the denominators that the decoder supports, such as 1, 2, 4, 8. The sides of an image decoded at
  ///     denominator `d` are divided by `d` and rounded up.
  ///   - rule: the number of pixels that is sufficient.
  package func scaleDenominator(available: [Int], rule: DecodeScale = .fast) -> Int {
    let neededWidth = Double(outputWidth) * Double(sourceWidth) / region.width * rule.rawValue
    let neededHeight = Double(outputHeight) * Double(sourceHeight) / region.height * rule.rawValue
    let enough = available.filter { denominator in
      guard denominator > 1 else { return false }
      let decoded = reducedSize(by: denominator)
      return Double(decoded.width) >= neededWidth && Double(decoded.height) >= neededHeight
    }
    return enough.max() ?? 1
  }

  /// Returns the geometry for the image decoded at 1/`denominator`. The size of the result does not change.
  package func reduced(by denominator: Int) -> ResizeGeometry {
    guard denominator > 1 else { return self }
    let decoded = reducedSize(by: denominator)
    let factor = Double(denominator)
    let (x, y) = (region.x / factor, region.y / factor)
    return ResizeGeometry(
      sourceWidth: decoded.width, sourceHeight: decoded.height,
      region: Region(x: x, y: y, width: region.width / factor, height: region.height / factor),
      outputWidth: outputWidth, outputHeight: outputHeight)
  }

  private func reducedSize(by denominator: Int) -> (width: Int, height: Int) {
    ((sourceWidth - 1) / denominator + 1, (sourceHeight - 1) / denominator + 1)
  }
}
