public import Foundation
import NukeImaging

/// The built-in decoders.
public enum ImageDecoders {}

extension ImageDecoders {
  /// A decoder that returns an empty image and attaches the data to its container, for programs that render the data
  /// themselves.
  public struct Empty: ImageDecoding {
    private let type: AssetType?
    /// A Boolean value that indicates whether the decoder delivers previews, with the data downloaded so far.
    public let isProgressive: Bool

    public var isAsynchronous: Bool { false }

    /// Creates the decoder.
    ///
    /// - Parameters:
    ///   - assetType: the type of the containers; `nil`, the default, for none.
    ///   - isProgressive: `true` to deliver a preview whenever more data has been downloaded.
    public init(assetType: AssetType? = nil, isProgressive: Bool = false) {
      type = assetType
      self.isProgressive = isProgressive
    }

    public func decode(_ data: Data) throws -> ImageContainer { container(of: data, isPreview: false) }

    public func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer? {
      isProgressive ? container(of: data, isPreview: true) : nil
    }

    private func container(of data: Data, isPreview: Bool) -> ImageContainer {
      ImageContainer(image: PlatformImage(), type: type, isPreview: isPreview, data: data)
    }
  }
}
