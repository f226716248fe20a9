public import Foundation
public import NukeCodecs
public import NukeImaging

extension ImageEncoders {
  /// Encodes images in a given format.
  ///
  /// The name exists for source compatibility with Apple platforms; the encoders are those of this package.
  public struct ImageIO: ImageEncoding {
    /// The format of the encoded data.
    public let type: AssetType
    /// The options. Each format uses those that it has.
    public let options: EncodeOptions
    /// The quality, from 0 (smallest file) to 1 (best image). PNG is lossless and ignores it.
    public var compressionRatio: Float { Float(options.quality) }

    /// Creates an encoder for a format.
    ///
    /// - Parameters:
    ///   - type: a format for which ``isSupported(type:)`` is `true`. Encoding fails for any other format.
    ///   - compressionRatio: from 0 (small) to 1 (good); values outside are clamped.
    public init(type: AssetType, compressionRatio: Float = 0.8) {
      self.init(type: type, options: EncodeOptions(quality: Double(compressionRatio)))
    }

    /// Creates an encoder for a format with options such as effort, chroma subsampling and the number of colors.
    ///
    /// - Parameters:
    ///   - type: a format for which ``isSupported(type:)`` is `true`. Encoding fails for any other format.
    ///   - options: the options. Each format uses those that it has.
    public init(type: AssetType, options: EncodeOptions) {
      self.type = type
      self.options = options
    }

    /// Returns `true` if this build encodes a format: JPEG, PNG, WebP, GIF and BMP, and those of its traits.
    public static func isSupported(type: AssetType) -> Bool { ImageFormat(type: type)?.isWritable ?? false }

    /// The encoded image; `nil` if the format is not supported, or the image is empty or too large for it.
    public func encode(_ image: PlatformImage) -> Data? {
      guard let format = ImageFormat(type: type) else { return nil }
      return try? ImageWriters.writer(for: format, options: options).encode(image)
    }
  }
}

extension ImageEncoding where Self == ImageEncoders.ImageIO {
  /// Encodes images in a given format. See ``ImageEncoders/ImageIO``.
  public static func imageIO(type: AssetType, compressionRatio: Float = 0.8) -> ImageEncoders.ImageIO {
    ImageEncoders.ImageIO(type: type, compressionRatio: compressionRatio)
  }

  /// Encodes images in a given format with options. See ``ImageEncoders/ImageIO``.
  public static func imageIO(type: AssetType, options: EncodeOptions) -> ImageEncoders.ImageIO {
    ImageEncoders.ImageIO(type: type, options: options)
  }
}
