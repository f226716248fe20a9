public import Foundation
public import Nuke
internal import NukeImaging

/// Shows pictures on a terminal: in place of each other, as previews and frames come, from the line on in which the
/// cursor is.
///
/// ```swift
/// let view = TerminalImageView(capabilities: .current(), fileHandle: .standardOutput)
/// loadImage(with: url, into: view)
/// ```
///
/// The cursor has to be at the start of a line at first, and is in the line below the picture afterwards. A program that
/// writes something else there calls ``release()`` before. Where no picture can be drawn, its size is written, a line for
/// each picture and none for previews. Content modes, tint colours and fades have no effect.
@MainActor public final class TerminalImageView: ImageDisplaying {
  public let imageLoading = ImageLoadingSlot()
  /// How pictures are drawn.
  public var method: TerminalProtocol { canvas.method }
  /// The picture or frame that is shown.
  public private(set) var image: PlatformImage?
  /// Why nothing is drawn any more, or the last picture was not.
  public private(set) var failure: TerminalImageError?
  /// Whether moving pictures move; false unless set. It counts for the pictures that are shown from then on.
  public var isAnimating = false
  /// How often a moving picture is played at most; nil for as often as it says itself.
  public var passLimit: Int?

  private var canvas: TerminalCanvas
  private let clock: TerminalClock
  private let write: @MainActor (Data) throws -> Void
  private var playing: Task<Void, Never>?
  private var isClosed = false

  /// A view that hands what is to be written to a closure.
  ///
  /// - Parameters:
  ///   - capabilities: what the terminal can.
  ///   - method: how to draw; nil for what the terminal does best.
  ///   - size: the cells that pictures fill, keeping their proportions; nil for those that their pixels take, within the
  ///     window.
  ///   - output: writes all of the bytes. After it has thrown it is not called again.
  public convenience init(
    capabilities: TerminalCapabilities, method: TerminalProtocol? = nil, size: TerminalSize? = nil,
    output: @escaping @MainActor (Data) throws -> Void
  ) {
    self.init(
      TerminalCanvas(capabilities, method: method, size: size, firstImageID: .random(in: 1...UInt32.max)),
      clock: .system, output: output)
  }

  /// A view that writes to a file handle, such as standard output. A program that goes on when the reader of a pipe has
  /// gone ignores `SIGPIPE`.
  public convenience init(
    capabilities: TerminalCapabilities, method: TerminalProtocol? = nil, size: TerminalSize? = nil,
    fileHandle: FileHandle
  ) {
    self.init(capabilities: capabilities, method: method, size: size) { try fileHandle.write(contentsOf: $0) }
  }

  package init(_ canvas: TerminalCanvas, clock: TerminalClock, output: @escaping @MainActor (Data) throws -> Void) {
    self.canvas = canvas
    self.clock = clock
    write = output
  }

  deinit { playing?.cancel() }

  // MARK: Pictures

  /// Shows a picture in place of the one before, or takes that away.
  public func display(_ presentation: ImagePresentation) {
    stop()
    if !isClosed { failure = nil }
    guard let container = presentation.container else {
      image = nil
      return send(canvas.erase())
    }
    let isPreview = presentation.phase == .preview
    if method == .text {
      image = container.image
      guard !isPreview else { return }
      return send(Data("\(container.image.pixelWidth)x\(container.image.pixelHeight)\n".utf8))
    }
    if isAnimating, !isPreview, let animated = AnimatedImage(container) {
      play(animated, orElse: container.image)
    } else {
      draw(container.image)
    }
  }

  /// Leaves the picture where it is, and its frame. The next one is shown below.
  public func release() {
    stop()
    image = nil
    canvas.release()
  }

  /// Draws the picture anew in a window of another size, at its top. Call it on `SIGWINCH`.
  public func resize(to window: TerminalWindow) {
    guard window != canvas.window else { return }
    var output = canvas.resize(to: window)
    if let image, method != .text { output += drawing(image) }
    send(output)
  }

  // MARK: Motion

  /// Stops at the frame that is shown.
  public func stop() {
    playing?.cancel()
    playing = nil
  }

  /// Returns when the moving picture is at its end, or was stopped; at once where none is played.
  public func waitUntilPlayed() async { await playing?.value }

  private func play(_ animated: AnimatedImage, orElse still: PlatformImage) {
    let playback = TerminalPlayback(image: animated, passLimit: passLimit, clock: clock)
    playing = Task { [weak self] in
      let isShown = await playback.run { frame in
        guard let self else { return false }
        self.draw(frame.image)
        return !self.isClosed
      }
      if !isShown, !Task.isCancelled { self?.draw(still) }
    }
  }

  // MARK: Output

  private func draw(_ image: PlatformImage) {
    self.image = image
    send(drawing(image))
  }

  private func drawing(_ image: PlatformImage) -> Data {
    do throws(TerminalImageError) {
      return try canvas.draw(image)
    } catch {
      failure = error
      return Data()
    }
  }

  private func send(_ output: Data) {
    guard !isClosed, !output.isEmpty else { return }
    do {
      try write(output)
    } catch {
      isClosed = true
      failure = .outputFailed(error)
      stop()
    }
  }
}
