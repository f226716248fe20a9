internal import Dispatch
internal import Foundation
internal import NukeImaging

/// Draws images on a terminal, each in the place of the previous one.
///
/// Images are scaled and encoded on a queue, one at a time, so that no image appears after a newer one. While one is being
/// rendered, only the newest of the others waits. All output is written on the main actor.
@MainActor final class TerminalPainter {
  /// An image to draw.
  @MainActor private final class Drawing {
    nonisolated let image: Bitmap
    let isPreview: Bool
    var isCanceled = false

    init(_ image: Bitmap, isPreview: Bool) {
      self.image = image
      self.isPreview = isPreview
    }
  }

  private(set) var canvas: TerminalCanvas
  /// The error that ended all drawing, or that of the last image.
  private(set) var failure: TerminalImageError?
  /// `true` once the output has failed, after which nothing is written.
  private(set) var isClosed = false

  private let queue: DispatchQueue
  private let output: @MainActor (Data) throws -> Void
  private var running: Drawing?
  private var waiting: Drawing?
  private var waiters: [CheckedContinuation<Void, Never>] = []

  init(_ canvas: TerminalCanvas, queue: DispatchQueue, output: @escaping @MainActor (Data) throws -> Void) {
    self.canvas = canvas
    self.queue = queue
    self.output = output
  }

  // MARK: Images

  /// Draws an image when it has been rendered, unless a newer one replaces it.
  func draw(_ image: Bitmap, isPreview: Bool) {
    guard !isClosed else { return }
    waiting = Drawing(image, isPreview: isPreview)
    renderNext()
  }

  /// Drops the images that are not on the terminal yet.
  ///
  /// - Parameter keepsPreview: draws a preview that is already being rendered. Previews that arrive faster than they are
  ///   rendered would otherwise never appear.
  func cancel(keepsPreview: Bool = false) {
    waiting = nil
    guard let running, !(keepsPreview && running.isPreview) else { return }
    running.isCanceled = true
  }

  /// Returns when every image has been drawn or dropped.
  func waitUntilDrawn() async {
    guard running != nil else { return }
    await withCheckedContinuation { waiters.append($0) }
  }

  private func renderNext() {
    guard running == nil, let next = waiting else { return }
    running = next
    waiting = nil
    let canvas = canvas
    queue.async { [weak self] in
      let result = Result { () throws(TerminalImageError) in try canvas.render(next.image) }
      DispatchQueue.main.async {
        MainActor.assumeIsolated { self?.finish(next, result) }
      }
    }
  }

  private func finish(_ drawing: Drawing, _ result: Result<TerminalCanvas.Rendering?, TerminalImageError>) {
    running = nil
    if !drawing.isCanceled {
      switch result {
      case .success(let rendering): if let rendering { write(canvas.place(rendering)) }
      case .failure(let error): failure = error
      }
    }
    renderNext()
    guard running == nil else { return }
    let waiters = waiters
    self.waiters = []
    for waiter in waiters { waiter.resume() }
  }

  // MARK: Placement

  /// Removes the image.
  func erase() {
    cancel()
    write(canvas.erase())
  }

  /// Leaves the image on the terminal. The next one is drawn below.
  func release() {
    cancel()
    canvas.release()
  }

  /// Clears the window for an image in its new size.
  ///
  /// - Returns: `false` if the size is unchanged.
  func resize(to window: TerminalWindow) -> Bool {
    guard window != canvas.window else { return false }
    cancel()
    write(canvas.resize(to: window))
    return true
  }

  // MARK: Output

  /// Clears the error of the previous image.
  func clearFailure() {
    if !isClosed { failure = nil }
  }

  func write(_ data: Data) {
    guard !isClosed, !data.isEmpty else { return }
    do {
      try output(data)
    } catch {
      isClosed = true
      failure = .outputFailed(error)
      cancel()
    }
  }
}
