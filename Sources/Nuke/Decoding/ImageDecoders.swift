public import Foundation
public import NukeCodecs
import NukeImaging

/// The decoders that come with the package.
public enum ImageDecoders {}

extension ImageDecoders {
  /// Decodes every format of this build: JPEG, PNG, WebP and GIF (a moving picture's first frame).
  ///
  /// The format is found by the data, never by a name or a media type. Where the first processor of a request makes
  /// the picture smaller, a JPEG is decoded at a half, quarter or eighth of its size.
  public struct Default: ImageDecoding, ScalableImageDecoding {
    private let limits: CodecLimits

    /// A decoder that refuses pictures past `limits` before it takes memory for them. In a pipeline
    /// ``ImagePipeline/Configuration-swift.struct/codecLimits`` count instead.
    public init(limits: CodecLimits = .init()) { self.limits = limits }

    public func decode(_ data: Data) throws -> ImageContainer {
      try open(data, limits: limits).decode(.init())
    }

    package func open(_ data: Data, limits: CodecLimits) throws -> any OpenedImage {
      Opened(reader: try ImageReaders.reader(for: data, limits: limits))
    }

    private struct Opened: OpenedImage {
      let reader: any ImageReader
      var pixelSize: (width: Int, height: Int) { reader.pixelSize(scaleDenominator: 1) }
      var scaleDenominators: [Int] { reader.scaleDenominators }

      func byteCount(scaleDenominator: Int) -> Int {
        let (width, height) = reader.pixelSize(scaleDenominator: scaleDenominator)
        return width * height * 4 + reader.workingByteCount
      }

      func decode(_ options: DecodeOptions) throws -> ImageContainer {
        ImageContainer(image: try reader.decode(options), type: AssetType(reader.header.format))
      }
    }
  }

  /// Decodes nothing: gives an empty picture with the data beside it, for programs that want the bytes alone.
  public struct Empty: ImageDecoding {
    private let type: AssetType?

    public var isAsynchronous: Bool { false }

    /// A decoder whose pictures say that they are of `type`, or of the type that their data speaks of.
    public init(assetType: AssetType? = nil) { type = assetType }

    public func decode(_ data: Data) throws -> ImageContainer {
      ImageContainer(image: PlatformImage(), type: type ?? AssetType(data), data: data)
    }
  }
}
