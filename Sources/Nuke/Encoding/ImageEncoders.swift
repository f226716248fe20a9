public import Foundation
import NukeCodecs
public import NukeImaging

/// The encoders that come with the package.
public enum ImageEncoders {}

extension ImageEncoders {
  /// Opaque images become JPEG, those with transparent pixels PNG.
  public struct Default: ImageEncoding {
    /// The quality, from 0 (smallest file) to 1 (best image).
    public var compressionQuality: Float

    /// Accepted for programs that set it, without an effect: it asks for HEIF where that can be written, which is nowhere
    /// in this build. False by default.
    public var isHEIFPreferred = false

    /// An encoder whose JPEGs have a quality from 0 to 1.
    public init(compressionQuality: Float = 0.8) { self.compressionQuality = compressionQuality }

    public func encode(_ image: PlatformImage) -> Data? {
      image.isOpaque ? image.jpegData(compressionQuality: CGFloat(compressionQuality)) : image.pngData()
    }
  }
}

extension ImageEncoding where Self == ImageEncoders.Default {
  /// Opaque images become JPEG, those with transparent pixels PNG.
  public static func `default`(compressionQuality: Float = 0.8) -> ImageEncoders.Default {
    ImageEncoders.Default(compressionQuality: compressionQuality)
  }
}
