/// Gives the image as it is, since decoding leaves nothing compressed. The processor that requests have by default.
public struct Decompressor: Processing {
  /// A processor that changes nothing.
  public init() {}

  public func process(_ image: Image) -> Image? { image }
}
