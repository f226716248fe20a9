// A view for another toolkit, such as SDL: it stores the presentation, and draws it in the program's own loop.
import Foundation
import Nuke

/// The drawing function of the toolkit. With SDL, create a texture of the pixels, and call `SDL_RenderTexture`.
protocol Canvas {
  func draw(rgba: UnsafeRawBufferPointer, width: Int, height: Int, into frame: CGRect, clip: CGRect, opacity: Double)
}

final class CanvasView: ImageDisplaying {
  /// Cancels the load when the view is deinitialized.
  let imageLoading = ImageLoadingSlot()
  var bounds = CGRect(x: 0, y: 0, width: 320, height: 240)
  private var shown: (presentation: ImagePresentation, since: Date)?
  private var below: ImagePresentation?

  func display(_ presentation: ImagePresentation) {
    below = presentation.isAnimated ? shown?.presentation : nil
    shown = (presentation, Date())
  }

  func draw(on canvas: some Canvas) {
    guard let (presentation, since) = shown else { return }
    let progress = presentation.isAnimated ? min(1, -since.timeIntervalSinceNow / presentation.fadeDuration) : 1
    if progress == 1 { below = nil }
    draw(below, on: canvas, opacity: 1)
    draw(presentation, on: canvas, opacity: progress)
  }

  private func draw(_ presentation: ImagePresentation?, on canvas: some Canvas, opacity: Double) {
    guard let presentation, let image = presentation.tintedImage else { return }
    let frame = (presentation.contentMode ?? .aspectFit).frame(of: image.size, in: bounds)
    image.withUnsafeBytes { pixels in
      canvas.draw(
        rgba: pixels, width: image.pixelWidth, height: image.pixelHeight, into: frame, clip: bounds, opacity: opacity)
    }
  }
}

struct Console: Canvas {
  func draw(rgba: UnsafeRawBufferPointer, width: Int, height: Int, into frame: CGRect, clip: CGRect, opacity: Double) {
    print("\(width)x\(height) pixels into \(frame), opacity \(opacity)")
  }
}

@MainActor func showInOwnToolkit() {
  let view = CanvasView()
  loadImage(with: URL(string: "https://example.com/photo.jpg"), into: view)
  for _ in 0..<60 {
    // Performs the pending work of the main actor, without waiting, once in each frame.
    _ = RunLoop.main.run(mode: .default, before: Date())
    view.draw(on: Console())
  }
}
