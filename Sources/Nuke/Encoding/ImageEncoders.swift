public import Foundation
import NukeCodecs
public import NukeImaging

/// The built-in encoders.
public enum ImageEncoders {}

extension ImageEncoders {
  /// Encodes opaque images as JPEG, and images with transparent pixels and drawings (SVG) as PNG.
  public struct Default: ImageEncoding {
    /// The quality, from 0 (smallest file) to 1 (best image).
    public var compressionQuality: Float

    /// Has no effect: HEIF is never written. It exists for source compatibility. The default is `false`.
    public var isHEIFPreferred = false

    /// Creates an encoder with a JPEG quality from 0 to 1.
    public init(compressionQuality: Float = 0.8) { self.compressionQuality = compressionQuality }

    public func encode(_ image: PlatformImage) -> Data? {
      image.isOpaque ? image.jpegData(compressionQuality: CGFloat(compressionQuality)) : image.pngData()
    }

    public func encode(_ container: ImageContainer, context: ImageEncodingContext) -> Data? {
      // JPEG would blur the edges, and even colors make a PNG small.
      container.type == .svg ? container.image.pngData() : container.data(encodedBy: self)
    }
  }
}

extension ImageEncoding where Self == ImageEncoders.Default {
  /// Encodes opaque images as JPEG, and images with transparent pixels and drawings as PNG.
  public static func `default`(compressionQuality: Float = 0.8) -> ImageEncoders.Default {
    ImageEncoders.Default(compressionQuality: compressionQuality)
  }
}
