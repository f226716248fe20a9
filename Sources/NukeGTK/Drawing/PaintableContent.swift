#if GTK
  import Foundation
  import Nuke
  import NukeImaging

  /// The content of an ``ImagePaintable``: one image, or two during a fade.
  struct PaintableContent {
    /// An image and its content mode.
    struct Layer {
      let texture: ImageTexture
      /// The size in points, for a display scale of 1.
      let size: CGSize
      /// Pixels per point; 1 by default.
      let scale: CGFloat
      let contentMode: ImageContentMode
      let tintColor: Color?

      /// Returns `nil` for an empty image.
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
    /// The previous image, during a fade.
    private(set) var previous: Layer?
    /// The opacity of the current image, from 0 to 1.
    private(set) var progress: Double = 1
    /// Pixels per point of the display.
    var displayScale: Double = 1

    /// Shows an image, or nothing.
    ///
    /// - Parameter fades: `true` to start a fade from the previous image.
    mutating func show(_ layer: Layer?, fades: Bool) {
      previous = fades ? current : nil
      current = layer
      progress = fades ? 0 : 1
    }

    /// Shows another frame of an animated image. A fade continues.
    mutating func update(_ image: Bitmap) {
      guard let shown = current,
        let frame = Layer(image, contentMode: shown.contentMode, tintColor: shown.tintColor)
      else { return }
      current = frame
    }

    /// Sets the progress of the fade, which ends at 1.
    mutating func fade(to progress: Double) {
      self.progress = min(max(progress, 0), 1)
      if self.progress == 1 { previous = nil }
    }

    /// The size in points at which each pixel covers one of the display; zero without an image.
    var naturalSize: CGSize { (current ?? previous).map(naturalSize) ?? .zero }

    /// An image with a scale of 1 uses the scale of the display.
    private func naturalSize(of layer: Layer) -> CGSize {
      let scale = layer.scale == 1 ? displayScale : 1
      return CGSize(width: layer.size.width / scale, height: layer.size.height / scale)
    }

    /// Returns the frame of a layer, with its edges aligned to pixels of the display.
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
