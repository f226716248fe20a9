import ArgumentParser
import Foundation
import Nuke

/// `nuke view`: draws images on the terminal.
struct ViewCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "view",
    abstract: "Draw images on the terminal.",
    discussion: """
      Draws each image below the one before, at most as large as the window, while it is still coming: previews are \
      replaced by what is sharper. What cannot be loaded is one line on standard error.

      PROTOCOLS
        kitty    every pixel: kitty, Ghostty, Konsole, WezTerm
        sixel    256 colors: foot, Konsole, mlterm, WezTerm, Windows Terminal, xterm, tmux that was built with them
        symbols  a character and two colors a cell, in builds with the trait Terminal
        blocks   two pixels a cell: everywhere else
        text     a line for each image: pipes, TERM=dumb, NO_COLOR

      EXAMPLES
        nuke view photo.jpg
        nuke view *.png --size 40x12
        nuke view https://example.com/cat.gif --animate
        nuke view photo.jpg --protocol blocks > photo.ans

      The status is 0 when all were shown, 1 when some were not, 2 for wrong usage.
      """)

  @Argument(
    help: ArgumentHelp(
      "A URL (http, https, ftp, file, data), a path, or - for a list on standard input, one a line.",
      valueName: "source"),
    completion: .file())
  var sources: [String]

  @OptionGroup(title: "How images are drawn") var drawing: DrawingOptions

  @OptionGroup(title: "What is kept on disk") var cache: CacheOptions

  @OptionGroup(title: "How images are fetched") var transfer: TransferOptions

  func validate() throws {
    guard !sources.isEmpty else { throw ValidationError("Give at least one source: a URL, a path, or -.") }
    if sources.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input (-) can be read only once.") }
  }

  @MainActor func run() async throws {
    let console = Console()
    Interrupt.handle { console.restore() }
    let sources = Source.list(sources) { readLine() }
    let screen = ImageScreen(drawing, console: console)
    let setup: PipelineSetup
    do throws(CacheSite.Failure) {
      setup = try PipelineSetup(transfer: transfer, cache: cache) { configuration in
        configuration.isProgressiveDecodingEnabled = screen != nil
        configuration.progressiveDecodingInterval = 0.2
      }
    } catch {
      console.printError(error.description)
      throw ExitCode(1)
    }
    let run = ViewRun(
      sources: sources, screen: screen, options: cache.requestOptions, maxStale: cache.maxStale,
      concurrency: transfer.concurrency,
      limit: transfer.maxBytes?.bytes, pipeline: setup.pipeline)
    var isComplete = true
    await run { result in
      switch result.outcome {
      case .failure(let failure):
        isComplete = false
        console.printError("\(result.source.displayName): \(failure.reason)")
      case .success where screen == nil: if let line = result.line { console.print(line) }
      case .success where sources.count > 1: console.print(result.source.displayName)
      case .success: break
      }
    }
    await setup.finish()
    if !isComplete { throw ExitCode(1) }
  }
}
