public import NukeCodecs

/// What a picture, and what is made of it, may take. What is past a limit is ``ServingError/tooLarge(_:)``, told from the
/// header, before memory is taken for pixels, wherever it can be known by then.
public struct RenderLimits: Sendable, Hashable {
  /// The most bytes of a source's file.
  public var maximumSourceBytes = 64 << 20
  /// Pixels, sides and frames of a source. The pipeline's own limits count as well.
  public var source = CodecLimits()
  /// The most pixels of a result, and of each step on the way to it.
  public var maximumResultPixels = 50_000_000
  /// The longest side of a result in pixels.
  public var maximumResultSide = 32_768
  /// The most bytes of a result's file.
  public var maximumResultBytes = 64 << 20
  /// The most frames of a picture that goes on moving; of one that has more the first frame is sent.
  public var maximumAnimationFrames = 250
  /// The most pixels of all frames together, both of the source and of the result; beyond, the first frame is sent.
  public var maximumAnimationPixels = 100_000_000

  /// Those above.
  public init() {}

  /// Refuses a step of that size in pixels.
  func check(width: Double, height: Double) throws(ServingError) {
    guard max(width, height) <= Double(maximumResultSide), width * height <= Double(maximumResultPixels) else {
      throw .tooLarge(
        "the result would have \(Self.text(width))x\(Self.text(height)) pixels: "
          + "\(maximumResultPixels) and \(maximumResultSide) a side are allowed")
    }
  }

  private static func text(_ side: Double) -> String { Int(exactly: side).map { "\($0)" } ?? "\(side)" }
}
