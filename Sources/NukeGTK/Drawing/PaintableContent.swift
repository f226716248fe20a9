#if GTK
  import Foundation
  import Nuke
  import NukeImaging

  /// What an ``ImagePaintable`` shows: one image, or two while one fades in over the other.
  struct PaintableContent {
    /// An image, and how it is shown.
    struct Layer {
      let texture: ImageTexture
      /// In points, where ``PaintableContent/displayScale`` is 1.
      let size: CGSize
      /// Pixels a point; 1 where the image does not say.
      let scale: CGFloat
      let contentMode: ImageContentMode
      let tintColor: Color?

      /// `nil` for an empty image.
      init?(_ image: Bitmap, contentMode: ImageContentMode, tintColor: Color?) {
        guard let texture = image.texture else { return nil }
        self.texture = texture
        self.contentMode = contentMode
        self.tintColor = tintColor
        size = image.size
        scale = image.scale
      }
    }

    private(set) var current: Layer?
    /// What was shown before, as long as it shows through.
    private(set) var previous: Layer?
    /// How much of the current image is seen: from 0 to 1.
    private(set) var progress: Double = 1
    /// Pixels a point of the display.
    var displayScale: Double = 1

    /// Shows an image, or nothing.
    ///
    /// - Parameter fades: whether what was shown is seen until ``progress`` is 1; it begins at 0.
    mutating func show(_ layer: Layer?, fades: Bool) {
      previous = fades ? current : nil
      current = layer
      progress = fades ? 0 : 1
    }

    /// Shows another frame of an animated image; a fade goes on.
    mutating func update(_ image: Bitmap) {
      guard let shown = current,
        let frame = Layer(image, contentMode: shown.contentMode, tintColor: shown.tintColor)
      else { return }
      current = frame
    }

    /// Goes on with fading; with 1 it ends.
    mutating func fade(to progress: Double) {
      self.progress = min(max(progress, 0), 1)
      if self.progress == 1 { previous = nil }
    }

    /// The size in points that shows each pixel by one of the display; zero where nothing is shown.
    var naturalSize: CGSize { (current ?? previous).map(naturalSize) ?? .zero }

    /// An image that does not say how many of its pixels make a point is for the display as it is.
    private func naturalSize(of layer: Layer) -> CGSize {
      let scale = layer.scale == 1 ? displayScale : 1
      return CGSize(width: layer.size.width / scale, height: layer.size.height / scale)
    }

    /// Where a layer lies in bounds of this size, its edges on pixels of the display, so that they are sharp.
    func frame(of layer: Layer, in size: CGSize) -> CGRect {
      let frame = layer.contentMode.frame(of: naturalSize(of: layer), in: CGRect(origin: .zero, size: size))
      let left = snapped(frame.minX)
      let top = snapped(frame.minY)
      let pixel = 1 / displayScale
      return CGRect(
        x: left, y: top, width: max(snapped(frame.maxX) - left, pixel), height: max(snapped(frame.maxY) - top, pixel))
    }

    private func snapped(_ position: CGFloat) -> CGFloat { (position * displayScale).rounded() / displayScale }
  }
#endif
