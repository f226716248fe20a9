public import Foundation
public import NukeImaging

extension ImageProcessors {
  /// Scales a picture to a size, keeping its proportions.
  ///
  /// Lanczos-3 on premultiplied sRGB, as browsers and other image libraries do. Coming first in a request, it lets a
  /// JPEG be decoded at a half, quarter or eighth of its size, as long as no pixel is missing that the result needs.
  public struct Resize: ImageProcessing, Hashable, CustomStringConvertible {
    /// In pixels; infinite where the other side decides.
    private let width: Double
    private let height: Double
    private let contentMode: ImageProcessingOptions.ContentMode
    private let crop: Bool
    private let upscale: Bool

    /// A processor that brings pictures to `size`.
    ///
    /// - Parameters:
    ///   - size: the target. A side that is zero, negative or no number leaves pictures as they are.
    ///   - unit: whether `size` is in points (of ``DisplayScale/current`` at this moment) or pixels.
    ///   - contentMode: whether a picture covers the size or fits into it.
    ///   - crop: with `.aspectFill`, whether what juts out is cut off, so that the result has exactly that size.
    ///   - upscale: whether smaller pictures are enlarged.
    public init(
      size: CGSize, unit: ImageProcessingOptions.Unit = .points,
      contentMode: ImageProcessingOptions.ContentMode = .aspectFill, crop: Bool = false, upscale: Bool = false
    ) {
      self.init(
        width: Double(size.width * unit.pixelsPerUnit), height: Double(size.height * unit.pixelsPerUnit),
        contentMode: contentMode, crop: crop, upscale: upscale)
    }

    /// A processor that brings pictures to a width; the height follows.
    public init(width: CGFloat, unit: ImageProcessingOptions.Unit = .points, upscale: Bool = false) {
      self.init(
        width: Double(width * unit.pixelsPerUnit), height: .infinity, contentMode: .aspectFit, crop: false,
        upscale: upscale)
    }

    /// A processor that brings pictures to a height; the width follows.
    public init(height: CGFloat, unit: ImageProcessingOptions.Unit = .points, upscale: Bool = false) {
      self.init(
        width: .infinity, height: Double(height * unit.pixelsPerUnit), contentMode: .aspectFit, crop: false,
        upscale: upscale)
    }

    init(
      width: Double, height: Double, contentMode: ImageProcessingOptions.ContentMode, crop: Bool, upscale: Bool
    ) {
      // One value that is no number is like another, so that equal processors stay equal.
      self.width = width.isNaN ? 0 : width
      self.height = height.isNaN ? 0 : height
      self.contentMode = contentMode
      self.crop = crop && contentMode == .aspectFill
      self.upscale = upscale
    }

    public func process(_ image: PlatformImage) -> PlatformImage? { try? resize(image) }

    public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
      try container.map(resize)
    }

    func resize(_ image: PlatformImage) throws -> PlatformImage {
      guard image.pixelWidth > 0 else { throw ImageProcessingError.emptyImage }
      guard let geometry = try geometry(sourceWidth: image.pixelWidth, sourceHeight: image.pixelHeight) else {
        return image
      }
      guard let resized = image.resized(geometry) else { throw ImageProcessingError.unknown }
      return resized
    }

    /// The same, enlarging what is smaller.
    var enlarging: Self { Self(width: width, height: height, contentMode: contentMode, crop: crop, upscale: true) }

    func geometry(sourceWidth: Int, sourceHeight: Int) throws(ImageProcessingError) -> ResizeGeometry? {
      do {
        return try ResizeGeometry(
          sourceWidth: sourceWidth, sourceHeight: sourceHeight, target: CGSize(width: width, height: height),
          contentMode: contentMode == .aspectFill ? .aspectFill : .aspectFit, crop: crop, upscale: upscale)
      } catch {
        throw .resultTooLarge(
          width: Int(clamping: error.width), height: Int(clamping: error.height), limit: error.limit)
      }
    }

    /// Lengths in pixels, so that it means the same on every display.
    public var identifier: String {
      "org.nuke.resize?s=\(length(width))x\(length(height)),cm=\(contentMode.rawValue),crop=\(crop),upscale=\(upscale)"
    }

    public var hashableIdentifier: AnyHashable { AnyHashable(self) }

    public var description: String {
      "Resize(size: \(length(width))x\(length(height)) pixels, contentMode: \(contentMode), crop: \(crop), upscale: \(upscale))"
    }

    private func length(_ side: Double) -> String { side.isInfinite ? "any" : "\(side)" }
  }
}

extension ImageProcessors.Resize: DecodeTargeting {
  var decodeTarget: DecodeTarget? { DecodeTarget(resize: self) }
}

extension Int {
  fileprivate init(clamping value: Double) {
    self = value >= Double(Int.max) ? .max : value <= Double(Int.min) ? .min : Int(value)
  }
}

extension ImageRequest.ThumbnailOptions {
  /// What makes the thumbnail of the decoded original.
  var processor: ImageProcessors.Resize {
    switch target {
    case .maxPixelSize(let side):
      .init(width: Double(side), height: Double(side), contentMode: .aspectFit, crop: false, upscale: false)
    case .size(let width, let height, let contentMode):
      .init(width: Double(width), height: Double(height), contentMode: contentMode, crop: false, upscale: false)
    }
  }

  var decodeTarget: DecodeTarget? { processor.decodeTarget }
}

extension ImageProcessing where Self == ImageProcessors.Resize {
  /// Scales a picture to a size, keeping its proportions. See ``ImageProcessors/Resize``.
  public static func resize(
    size: CGSize, unit: ImageProcessingOptions.Unit = .points,
    contentMode: ImageProcessingOptions.ContentMode = .aspectFill, crop: Bool = false, upscale: Bool = false
  ) -> ImageProcessors.Resize {
    ImageProcessors.Resize(size: size, unit: unit, contentMode: contentMode, crop: crop, upscale: upscale)
  }

  /// Scales a picture to a width; the height follows.
  public static func resize(
    width: CGFloat, unit: ImageProcessingOptions.Unit = .points, upscale: Bool = false
  ) -> ImageProcessors.Resize {
    ImageProcessors.Resize(width: width, unit: unit, upscale: upscale)
  }

  /// Scales a picture to a height; the width follows.
  public static func resize(
    height: CGFloat, unit: ImageProcessingOptions.Unit = .points, upscale: Bool = false
  ) -> ImageProcessors.Resize {
    ImageProcessors.Resize(height: height, unit: unit, upscale: upscale)
  }
}
