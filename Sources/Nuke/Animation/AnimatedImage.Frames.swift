public import NukeImaging

extension AnimatedImage {
  /// One pass of the frames, each as soon as it is there, whatever its delay. The next is prepared meanwhile.
  ///
  /// It ends behind the last frame. It throws once where a frame is damaged, and ends.
  public var frames: Frames { Frames(image: self) }

  /// One pass of an animation's frames; see ``AnimatedImage/frames-swift.property``.
  public struct Frames: AsyncSequence, Sendable {
    let image: AnimatedImage

    /// Gives one frame after the other.
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
