import Dispatch
import Foundation
import Nuke
import NukeTerminal

/// The terminal on standard output, on which one image after the other is drawn.
@MainActor final class ImageScreen {
  private let view: TerminalImageView
  private let isTTY: Bool
  private let size: TerminalSize?
  private let window: TerminalWindow
  private let windowChanges: any DispatchSourceSignal

  /// A screen; `nil` if nothing but text is to be written. Asks the terminal, where that helps.
  init?(_ options: DrawingOptions, console: Console) {
    guard options.method != .text else { return nil }
    isTTY = isatty(STDOUT_FILENO) == 1
    size = options.size
    let capabilities: TerminalCapabilities
    if isTTY {
      // What blocks need is known.
      capabilities = .current(seconds: options.method == .blocks ? 0 : 0.5)
    } else {
      capabilities = TerminalCapabilities(
        environment: ProcessInfo.processInfo.environment, isTTY: false,
        window: options.size.map { TerminalWindow(columns: $0.columns, rows: $0.rows + 1) })
    }
    guard (options.method.fixed ?? capabilities.best) != .text else { return nil }
    window = capabilities.window
    view = TerminalImageView(capabilities: capabilities, method: options.method.fixed, size: options.size) {
      console.draw(image: $0)
    }
    view.isAnimating = options.animate

    windowChanges = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: .main)
    windowChanges.setEventHandler { [weak view] in
      MainActor.assumeIsolated {
        if let window = TerminalWindow(descriptor: STDOUT_FILENO) { view?.resize(to: window) }
      }
    }
    windowChanges.resume()
  }

  /// The most pixels an image can be shown with.
  var pixelSize: CGSize {
    let columns = min(size?.columns ?? .max, window.columns)
    let rows = min(size?.rows ?? .max, window.rows)
    let cell = window.cell ?? .assumed
    return CGSize(width: columns * cell.width, height: rows * cell.height)
  }

  /// Shows a preview of an image.
  func show(preview: ImageContainer) {
    view.display(ImagePresentation(container: preview, phase: .preview))
  }

  /// Shows an image, and plays it to its end where it moves and that is wanted.
  ///
  /// - Parameter isLast: whether no other waits for its turn.
  /// - Throws: why it is not drawn.
  func show(_ container: ImageContainer, isLast: Bool) async throws {
    // What nobody watches and nobody ends would fill a disk.
    let isEndless = container.animation?.loopCount == 0
    view.passLimit = isEndless && !(isLast && isTTY) ? 1 : nil
    view.display(ImagePresentation(container: container, phase: .success))
    await view.waitUntilPlayed()
    if let failure = view.failure { throw failure }
  }

  /// Leaves what is shown where it is. Lines may follow, and another image.
  func release() { view.release() }
}
