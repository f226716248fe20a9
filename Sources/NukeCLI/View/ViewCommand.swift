#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// `nuke view`: draws images on the terminal.
  struct ViewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "view",
      abstract: "Draw images on the terminal.",
      discussion: """
        Draws images one below another, at most as large as the window. An image is drawn while it loads: each preview is \
        replaced by a sharper one. Prints failures to standard error.

        PROTOCOLS
          kitty    every pixel: kitty, Ghostty, Konsole, WezTerm
          sixel    256 colors: foot, Konsole, mlterm, WezTerm, Windows Terminal, xterm,
                   tmux built with sixel support
          symbols  a character and two colors in each cell (trait Terminal)
          blocks   two pixels in each cell: all other terminals
          text     a line for each image: pipes, TERM=dumb, NO_COLOR

        EXAMPLES
          nuke view photo.jpg
          nuke view *.png --cells 40x12
          nuke view https://example.com/cat.gif --animate
          nuke view photo.jpg --protocol blocks > photo.ans
          curl https://example.com/photo.jpg | nuke view -

        The exit status is 0 if all images were drawn, 1 if some failed, and 2 for invalid usage.
        """)

    @OptionGroup var input: SourceArguments

    @OptionGroup(title: "Drawing") var drawing: DrawingOptions

    @OptionGroup(title: "Cache") var cache: CacheOptions

    @OptionGroup(title: "Downloads") var concurrency: ConcurrencyOption

    @OptionGroup(title: "Downloads") var limits: TransferLimits

    @OptionGroup(title: "Downloads") var requests: RequestOptions

    @MainActor func run() async throws {
      let session = Session()
      let sources = try session.attempt { try input.all() }
      let screen = ImageScreen(drawing, console: session.console)
      let setup = try session.attempt {
        try PipelineSetup(limits: limits, requests: requests, concurrency: concurrency.count, cache: cache) {
          $0.isProgressiveDecodingEnabled = screen != nil
          $0.progressiveDecodingInterval = 0.2
        }
      }
      // No more pixels are decoded than the terminal can show.
      let processors: [any ImageProcessing] =
        screen.map { [ImageProcessors.Resize(size: $0.pixelSize, unit: .pixels, contentMode: .aspectFit)] } ?? []
      // The images that come next are loaded while one is drawn.
      var tasks: [Result<ImageTask, LoadFailure>?] = []
      for (index, source) in sources.enumerated() {
        while tasks.count < min(index + concurrency.count, sources.count) {
          let next = sources[tasks.count]
          tasks.append(
            Result { () throws(LoadFailure) in
              setup.pipeline.imageTask(with: try cache.request(for: next, processors, limits))
            })
        }
        do {
          let task = try tasks[index]!.get()
          tasks[index] = nil
          let image = try await show(task, on: screen, isLast: index == sources.count - 1)
          screen?.release()
          if screen == nil {
            session.console.print(image.line(source))
          } else if sources.count > 1 {
            session.console.print(source.displayName)
          }
        } catch {
          screen?.release()
          session.report(SourceReport(source: source, failure: limits.failure(error)))
        }
      }
      await setup.finish()
      try session.finish()
    }

    @MainActor private func show(_ task: ImageTask, on screen: ImageScreen?, isLast: Bool) async throws -> LoadedImage {
      do {
        if let screen {
          // If drawing is slower than loading, outdated previews are skipped.
          for await preview in task.previews where task.state == .running { screen.show(preview: preview.container) }
        }
        let response = try await task.response
        try await screen?.show(response.container, isLast: isLast)
        return LoadedImage(response, facts: task.facts)
      } catch {
        task.cancel()
        throw error
      }
    }
  }
#endif
