package import Dispatch
public import Foundation
public import Nuke
internal import NukeImaging

/// A view that draws images on a terminal at the cursor. Each image, preview or frame replaces the previous one.
///
/// ```swift
/// let view = TerminalImageView(capabilities: .current(), fileHandle: .standardOutput)
/// loadImage(with: url, into: view)
/// ```
///
/// The cursor must be at the start of a line, and ends in the line below the image. Call ``release()`` before writing other
/// output. If images cannot be drawn, the view writes a line with the size of each image, and none for previews. Content
/// modes, tint colors and fades have no effect.
///
/// Images are scaled and encoded on another thread, one at a time, and written on the main actor. An image that is replaced
/// in the meantime is not drawn. ``waitUntilPlayed()`` returns when the last image is on the terminal.
@MainActor public final class TerminalImageView: ImageDisplaying {
  public let imageLoading = ImageLoadingSlot()
  /// The protocol.
  public var method: TerminalProtocol { painter.canvas.method }
  /// The image or frame that was displayed last.
  public private(set) var image: PlatformImage?
  /// The error that ended all drawing, or that of the last image.
  public var failure: TerminalImageError? { painter.failure }
  /// A Boolean value that indicates whether animated images play. The default is `false`. It applies to later images.
  public var isAnimating = false
  /// The maximum number of times an animated image plays; `nil` to use the image's own.
  public var passLimit: Int?

  private let painter: TerminalPainter
  private let clock: TerminalClock
  private var playing: Task<Void, Never>?

  /// Creates a view that writes with a closure.
  ///
  /// - Parameters:
  ///   - capabilities: the capabilities of the terminal.
  ///   - method: the protocol; `nil` for the best of the terminal.
  ///   - size: the cells that images fill, keeping their aspect ratio; `nil` for the size of the image, within the
  ///     window.
  ///   - output: writes all bytes. It is not called again after it has thrown an error.
  public convenience init(
    capabilities: TerminalCapabilities, method: TerminalProtocol? = nil, size: TerminalSize? = nil,
    output: @escaping @MainActor (Data) throws -> Void
  ) {
    self.init(
      TerminalCanvas(capabilities, method: method, size: size, firstImageID: .random(in: 1...UInt32.max)),
      clock: .system, output: output)
  }

  /// Creates a view that writes to a file handle, such as standard output. To continue after the reader of a pipe has closed
  /// it, ignore `SIGPIPE`.
  public convenience init(
    capabilities: TerminalCapabilities, method: TerminalProtocol? = nil, size: TerminalSize? = nil,
    fileHandle: FileHandle
  ) {
    self.init(capabilities: capabilities, method: method, size: size) { try fileHandle.write(contentsOf: $0) }
  }

  package init(
    _ canvas: TerminalCanvas, clock: TerminalClock,
    queue: DispatchQueue = DispatchQueue(label: "nuke.terminal"),
    output: @escaping @MainActor (Data) throws -> Void
  ) {
    painter = TerminalPainter(canvas, queue: queue, output: output)
    self.clock = clock
  }

  deinit { playing?.cancel() }

  // MARK: Images

  /// Replaces the previous image, or removes it. Returns before the image is on the terminal.
  public func display(_ presentation: ImagePresentation) {
    stop()
    let isPreview = presentation.phase == .preview
    painter.cancel(keepsPreview: isPreview)
    painter.clearFailure()
    guard let container = presentation.container else {
      image = nil
      return painter.erase()
    }
    if method == .text {
      image = container.image
      guard !isPreview else { return }
      return painter.write(Data("\(container.image.pixelWidth)x\(container.image.pixelHeight)\n".utf8))
    }
    if isAnimating, !isPreview, let animated = AnimatedImage(container) {
      play(animated, orElse: container.image)
    } else {
      draw(container.image, isPreview: isPreview)
    }
  }

  /// Leaves the image on the terminal at its current frame. The next one is shown below. An image that is not drawn yet is
  /// dropped.
  public func release() {
    stop()
    image = nil
    painter.release()
  }

  /// Draws the image again in a window of another size, at its top. Call it on `SIGWINCH`.
  public func resize(to window: TerminalWindow) {
    guard painter.resize(to: window) else { return }
    if let image, method != .text { draw(image) }
  }

  // MARK: Animation

  /// Stops at the current frame.
  public func stop() {
    playing?.cancel()
    playing = nil
  }

  /// Returns once the image is on the terminal, and an animated image has ended or was stopped.
  public func waitUntilPlayed() async {
    await playing?.value
    await painter.waitUntilDrawn()
  }

  private func play(_ animated: AnimatedImage, orElse still: PlatformImage) {
    let playback = TerminalPlayback(image: animated, passLimit: passLimit, clock: clock)
    playing = Task { [weak self] in
      let isShown = await playback.run { frame in
        guard let self else { return false }
        self.draw(frame.image)
        await self.painter.waitUntilDrawn()
        return !self.painter.isClosed
      }
      if !isShown, !Task.isCancelled { self?.draw(still) }
    }
  }

  private func draw(_ image: PlatformImage, isPreview: Bool = false) {
    self.image = image
    painter.draw(image, isPreview: isPreview)
  }
}
