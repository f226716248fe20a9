extension ImageOptions {
  /// Frames of a video at equal distances, which are rendered as one image or as an animation.
  public struct VideoFrames: Sendable, Hashable, Codable {
    public enum Arrangement: Sendable, Hashable, Codable {
      /// Rows of frames in one image.
      case tiles(columns: Int, rows: Int)
      /// An animation, with a delay between frames in milliseconds.
      case animation(count: Int, delay: Int)

      /// The number of frames.
      public var count: Int {
        switch self {
        case .tiles(let columns, let rows): columns * rows
        case .animation(let count, _): count
        }
      }
    }

    public var arrangement: Arrangement
    /// The time between two frames in seconds. If it is negative, the frames are distributed over the whole video. The
    /// first one is that of ``ImageOptions/videoSecond``.
    public var step: Double
    /// The width into which each frame is scaled; 0 for no limit.
    public var width: Int
    public var height: Int
    /// A Boolean value that indicates whether frames get black bars, so that they have exactly the size.
    public var extends = false
    /// A Boolean value that indicates whether the space of frames after the end of the video is left out.
    public var trims = false
    /// A Boolean value that indicates whether frames fill the size, and are cropped around ``focus``.
    public var fills = false
    /// A point in a frame, with coordinates from 0 to 1.
    public var focus = Pair(0.5, 0.5)

    public init(_ arrangement: Arrangement, step: Double, width: Int, height: Int) {
      self.arrangement = arrangement
      self.step = step
      self.width = width
      self.height = height
    }
  }
}
