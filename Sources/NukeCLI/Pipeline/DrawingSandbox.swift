#if Command && Server && SVG
  import Foundation
  import Nuke
  import NukeSandbox
  import NukeServing

  /// The processes that draw SVG images for a command, so that no drawing can end it. They start with the first drawing.
  final class DrawingSandbox: Sendable {
    private let limits: TransferLimits
    private let sandbox = Lock<Sandbox>(.notStarted)

    private enum Sandbox {
      case notStarted
      /// `nil` if the system cannot restrict processes. Drawings are then drawn by this process.
      case started(RenderSandbox?)
    }

    init(_ limits: TransferLimits) { self.limits = limits }

    /// Returns the decoder for an SVG image; `nil` for other images, and if there is no sandbox.
    func decoder(for context: ImageDecodingContext) -> (any ImageDecoding)? {
      guard ImageFormat(sniffing: context.data) == .svg else { return nil }
      return running.flatMap { ImageDecoders.SandboxedSVG(context: context, sandbox: $0) }
    }

    private var running: RenderSandbox? {
      sandbox.withLock { sandbox in
        if case .started(let running) = sandbox { return running }
        let running = start()
        sandbox = .started(running)
        return running
      }
    }

    private func start() -> RenderSandbox? {
      var render = RenderLimits()
      render.source = limits.codecLimits
      render.maximumSourceBytes = limits.byteLimit
      render.maximumResultPixels = limits.codecLimits.maximumPixelCount
      render.maximumResultSide = limits.codecLimits.maximumSide
      render.maximumResultBytes = limits.byteLimit
      var settings = RenderSettings()
      // The files only travel from one process to another.
      settings.efforts[.png] = 0
      return try? RenderSandbox(renderer: Renderer(limits: render, settings: settings))
    }
  }
#endif
