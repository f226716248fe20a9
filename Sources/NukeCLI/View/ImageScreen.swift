#if Command
  import Dispatch
  import Foundation
  import Nuke
  import NukeTerminal

  /// The terminal on standard output, which draws one image after another.
  @MainActor final class ImageScreen {
    private let view: TerminalImageView
    private let isTTY: Bool
    private let size: TerminalSize?
    private let window: TerminalWindow
    private let windowChanges: any DispatchSourceSignal

    /// Returns `nil` if only text is to be written. Queries the terminal if necessary.
    init?(_ options: DrawingOptions, console: Console) {
      guard options.method != .text else { return nil }
      isTTY = isatty(STDOUT_FILENO) == 1
      size = options.terminalSize
      let capabilities: TerminalCapabilities
      if isTTY {
        // Blocks need no query.
        capabilities = .current(seconds: options.method == .blocks ? 0 : 0.5)
      } else {
        capabilities = TerminalCapabilities(
          environment: ProcessInfo.processInfo.environment, isTTY: false,
          window: size.map { TerminalWindow(columns: $0.columns, rows: $0.rows + 1) })
      }
      guard (options.method.fixed ?? capabilities.best) != .text else { return nil }
      window = capabilities.window
      view = TerminalImageView(capabilities: capabilities, method: options.method.fixed, size: size) {
        console.draw(image: $0)
      }
      view.isAnimating = options.animate

      windowChanges = DispatchSource.handling(SIGWINCH, on: DispatchQueue(label: "nuke.window")) { [weak view] in
        Task { @MainActor in
          if let window = TerminalWindow(descriptor: STDOUT_FILENO) { view?.resize(to: window) }
        }
      }
    }

    /// The maximum size of an image, in pixels.
    var pixelSize: CGSize {
      let columns = min(size?.columns ?? .max, window.columns)
      let rows = min(size?.rows ?? .max, window.rows)
      let cell = window.cell ?? .assumed
      return CGSize(width: columns * cell.width, height: rows * cell.height)
    }

    func show(preview: ImageContainer) {
      view.display(ImagePresentation(container: preview, phase: .preview))
    }

    /// Shows an image. With `--animate`, plays an animated image to its end.
    ///
    /// - Parameter isLast: `true` if no other image follows.
    func show(_ container: ImageContainer, isLast: Bool) async throws {
      // Without a terminal, an endless animation would fill the disk.
      let isEndless = container.animation?.loopCount == 0
      view.passLimit = isEndless && !(isLast && isTTY) ? 1 : nil
      view.display(ImagePresentation(container: container, phase: .success))
      await view.waitUntilPlayed()
      if let failure = view.failure { throw failure }
    }

    /// Moves below the image, so that lines or another image may follow.
    func release() { view.release() }
  }
#endif
