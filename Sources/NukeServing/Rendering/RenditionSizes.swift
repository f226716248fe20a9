import NukeCodecs

/// The sizes of a rendition and its source, in pixels.
public struct RenditionSizes: Sendable, Hashable, Codable {
  /// The width of the upright source.
  public var sourceWidth: Int
  /// The height of the upright source.
  public var sourceHeight: Int
  public var width: Int
  public var height: Int

  public init(sourceWidth: Int, sourceHeight: Int, width: Int, height: Int) {
    (self.sourceWidth, self.sourceHeight) = (sourceWidth, sourceHeight)
    (self.width, self.height) = (width, height)
  }

  init(of header: ImageHeader, width: Int, height: Int) {
    self.init(sourceWidth: header.pixelWidth, sourceHeight: header.pixelHeight, width: width, height: height)
  }

  /// `true` if images can have these sizes. A compromised worker can send any value.
  package var isValid: Bool {
    [sourceWidth, sourceHeight, width, height].allSatisfy { (1...Int(Int32.max)).contains($0) }
  }
}
