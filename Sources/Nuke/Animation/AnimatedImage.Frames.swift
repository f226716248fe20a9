public import NukeImaging

extension AnimatedImage {
  /// The frames of one loop, each as soon as it is decoded, regardless of its delay. The next frame is decoded in the
  /// meantime.
  ///
  /// The sequence ends after the last frame. If a frame is damaged, the sequence throws an error and ends.
  public var frames: Frames { Frames(image: self) }

  /// A sequence of the frames of one loop; see ``AnimatedImage/frames-swift.property``.
  public struct Frames: AsyncSequence, Sendable {
    let image: AnimatedImage

    /// Returns the frames in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let image: AnimatedImage
      private var index = 0
      private var isOver = false

      init(_ image: AnimatedImage) { self.image = image }

      public mutating func next() async throws -> Animation.Frame? { try await next(isolation: nil) }

      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(AnimatedImage.Error) -> Animation.Frame? {
        guard !isOver, index < image.frameCount else { return nil }
        defer { index += 1 }
        do {
          return try await image.loadFrame(at: index)
        } catch {
          isOver = true
          throw error
        }
      }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(image) }
  }
}
