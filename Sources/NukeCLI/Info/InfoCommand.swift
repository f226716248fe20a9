import ArgumentParser
import Foundation
import Nuke

/// `nuke info`: tells what is in images without decoding them.
struct InfoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Tell what images are, without decoding them.",
    discussion: """
      Prints the format, the size in pixels, the orientation, the color profile, whether there is alpha, frames and \
      duration, and the basics of EXIF. Reads no more of a file or a body than that takes.

      EXAMPLES
        nuke info photo.jpg
        nuke info https://example.com/a.gif --json
        find . -name '*.jpg' | nuke info - --json

      The status is 0 when all could be read, 1 when some failed, 2 for wrong usage.
      """)

  @Argument(
    help: ArgumentHelp(
      "A URL (http, https, ftp, file, data), a path, or - for a list on standard input, one a line.",
      valueName: "source"),
    completion: .file())
  var sources: [String]

  @Option(help: ArgumentHelp("Give up on a server that sends nothing for so long.", valueName: "seconds"))
  var timeout = 30.0

  @Flag(help: "Print one JSON object a line instead of text.")
  var json = false

  func validate() throws {
    guard !sources.isEmpty else { throw ValidationError("Give at least one source: a URL, a path, or -.") }
    if sources.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input (-) can be read only once.") }
    if !(timeout > 0 && timeout <= 86_400) { throw ValidationError("--timeout must be more than 0 seconds.") }
  }

  func run() async throws {
    let console = Console()
    Interrupt.handle()
    var configuration = DataLoader.Configuration()
    configuration.connectTimeout = timeout
    configuration.idleTimeout = timeout
    let loader = DataLoader(configuration: configuration)
    var isComplete = true
    for source in Source.list(sources, readLine: { readLine() }) {
      do throws(LoadFailure) {
        let info = try await ImageInfo.read(source, loader: loader)
        console.print(json ? info.json(source: source.text).text : info.text(name: source.displayName))
      } catch {
        isComplete = false
        console.printError("\(source.displayName): \(error.reason)")
        if json {
          console.print(
            JSON.members(["source": .string(source.text), "ok": .bool(false), "error": .string(error.reason)]).text)
        }
      }
    }
    if !isComplete { throw ExitCode(1) }
  }
}
