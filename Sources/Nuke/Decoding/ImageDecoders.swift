public import Foundation
import NukeImaging

/// The decoders that come with the package.
public enum ImageDecoders {}

extension ImageDecoders {
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
