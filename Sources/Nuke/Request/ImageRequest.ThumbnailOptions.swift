public import Foundation
import NukeImaging

extension ImageRequest {
  /// The size of a thumbnail that is made while decoding, and its source.
  ///
  /// The options apply to the decoders of this package. Images of other decoders are resized after decoding.
  public struct ThumbnailOptions: Hashable, Sendable {
    enum Target: Hashable, Sendable {
      /// The longest side, in pixels.
      case maxPixelSize(CGFloat)
      /// Both sides in pixels.
      case size(width: CGFloat, height: CGFloat, ImageProcessingOptions.ContentMode)
    }
    let target: Target

    /// A Boolean value that indicates whether the thumbnail is made from the image if the file has no embedded
    /// thumbnail. The default is `true`.
    ///
    /// If this and ``createThumbnailFromImageAlways`` are `false`, an embedded thumbnail of any size is used, and a
    /// file without one fails with ``EmbeddedThumbnailMissing``.
    public var createThumbnailFromImageIfAbsent = true

    /// A Boolean value that indicates whether the thumbnail is made from the image even if the file has an embedded
    /// thumbnail. The default is `true`.
    ///
    /// If it is `false`, the thumbnail that cameras embed in a JPEG is used if it is large enough and has the aspect
    /// ratio of the image. It is decoded in a fraction of the time.
    public var createThumbnailFromImageAlways = true

    /// A Boolean value that indicates whether the orientation in the file is applied. The default is `true`. If it is
    /// `false`, the size refers to the pixels as they are stored, and there are no previews.
    public var createThumbnailWithTransform = true

    /// Has no effect: images are always decoded before they are delivered. The default is `true`.
    public var shouldCacheImmediately = true

    /// The reduction that the decoder may apply. The default is `.fast`.
    public var reduction = ImageProcessingOptions.Reduction.fast

    /// Creates options for an image whose longest side has at most `maxPixelSize` pixels.
    public init(maxPixelSize: CGFloat) { target = .maxPixelSize(maxPixelSize) }

    /// Creates options for an image whose longest side has at most `maxPixelSize` pixels.
    @_disfavoredOverload
    public init(maxPixelSize: Float) { self.init(maxPixelSize: CGFloat(maxPixelSize)) }

    /// Creates options for an image that fills or fits `size`.
    ///
    /// - Parameters:
    ///   - size: the size of the thumbnail.
    ///   - unit: the unit of `size`: points, multiplied by the display scale, or pixels.
    ///   - contentMode: determines whether the image covers all of `size` or fits into it. Nothing is cropped.
    public init(
      size: CGSize, unit: ImageProcessingOptions.Unit = .points,
      contentMode: ImageProcessingOptions.ContentMode = .aspectFill
    ) {
      let factor = unit.pixelsPerUnit
      target = .size(width: size.width * factor, height: size.height * factor, contentMode)
    }

    /// The options with default values for those that have no effect. Options with the same result are equal.
    var normalized: ThumbnailOptions {
      var options = self
      options.shouldCacheImmediately = true
      if createThumbnailFromImageAlways { options.createThumbnailFromImageIfAbsent = true }
      return options
    }

    /// The part of a disk cache key for the thumbnail, in Nuke's format: the size, followed by the four switches in the
    /// order of their declaration.
    var identifier: String {
      let size =
        switch target {
        case .maxPixelSize(let side): "maxPixelSize=\(Double(side))"
        case .size(let width, let height, let mode):
          "width=\(Double(width)),height=\(Double(height)),contentMode=\(mode)"
        }
      let options = normalized
      let switches = [
        options.createThumbnailFromImageIfAbsent, options.createThumbnailFromImageAlways,
        options.createThumbnailWithTransform, options.shouldCacheImmediately,
      ]
      return "com.github/kean/nuke/thumbnail?\(size),options=\(switches.map(\.description).joined())"
        + (reduction == .fast ? "" : ",reduction=\(reduction.rawValue)")
    }

    /// Returns the thumbnail of encoded image data; `nil` if the data cannot be decoded. Decodes on the calling thread.
    public func makeThumbnail(with data: Data) -> PlatformImage? {
      try? ImageDecoders.Default(thumbnail: self).decode(data).image
    }
  }
}
