public import Foundation
import NukeImaging

extension ImageRequest {
  /// The size of a thumbnail that is made while decoding, and its source.
  ///
  /// The switches are those of the decoders that come with the package; other decoders give whole images, which are
  /// made small afterwards.
  public struct ThumbnailOptions: Hashable, Sendable {
    enum Target: Hashable, Sendable {
      /// The longest side, in pixels.
      case maxPixelSize(CGFloat)
      /// Both sides in pixels.
      case size(width: CGFloat, height: CGFloat, ImageProcessingOptions.ContentMode)
    }
    let target: Target

    /// A Boolean value that indicates whether the thumbnail is made of the image where the file has no small one
    /// embedded. True by default.
    ///
    /// Without it, and without ``createThumbnailFromImageAlways``, the embedded one is taken however small it is, and a
    /// file that has none fails with ``EmbeddedThumbnailMissing``.
    public var createThumbnailFromImageIfAbsent = true

    /// A Boolean value that indicates whether the thumbnail is made of the image even where the file has a small one
    /// embedded. True by default.
    ///
    /// Without it, the small image that cameras put into a JPEG is taken where it has as many pixels as the thumbnail
    /// needs and the shape of the image. It is read in a fraction of the time, and looks as the camera made it.
    public var createThumbnailFromImageAlways = true

    /// A Boolean value that indicates whether the thumbnail is turned upright. True by default. Without it the pixels
    /// lie as the file stores them, the wanted size counts for them as they lie, and there are no previews.
    public var createThumbnailWithTransform = true

    /// Accepted for programs that set it, without an effect: every image is decoded before it is delivered. True by
    /// default.
    public var shouldCacheImmediately = true

    /// The reduction that the decoder may apply. The default is `.fast`.
    public var reduction = ImageProcessingOptions.Reduction.fast

    /// Options for an image whose longest side has at most `maxPixelSize` pixels.
    public init(maxPixelSize: CGFloat) { target = .maxPixelSize(maxPixelSize) }

    /// Options for an image whose longest side has at most `maxPixelSize` pixels.
    @_disfavoredOverload
    public init(maxPixelSize: Float) { self.init(maxPixelSize: CGFloat(maxPixelSize)) }

    /// An image that fills or fits `size`.
    ///
    /// - Parameters:
    ///   - size: the wanted size.
    ///   - unit: whether `size` is in points (of the display scale) or pixels.
    ///   - contentMode: whether the image covers all of `size` or fits into it. Nothing is cropped.
    public init(
      size: CGSize, unit: ImageProcessingOptions.Unit = .points,
      contentMode: ImageProcessingOptions.ContentMode = .aspectFill
    ) {
      let factor = unit.pixelsPerUnit
      target = .size(width: size.width * factor, height: size.height * factor, contentMode)
    }

    /// The same as far as the result goes: switches without an effect are as by default.
    var normalized: ThumbnailOptions {
      var options = self
      options.shouldCacheImmediately = true
      if createThumbnailFromImageAlways { options.createThumbnailFromImageIfAbsent = true }
      return options
    }

    /// The part of a data cache key that stands for the thumbnail, in Nuke's form: the size, then the four switches in the
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
