import ArgumentParser
import Foundation
import Nuke

/// `nuke demo`: shows on the sample images what the system promises, and counts whether it is so.
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Show what the system does, on its own sample images.",
    discussion: """
      Starts a web server on loopback, in a process of its own, loads the sample images from it, and prints a table of \
      what was promised and what the server and the pipeline counted. Writes a contact sheet of what was loaded.

      The status is 0 only if every count is as promised.
      """)

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Write the contact sheet, a PNG, to this file. (default: nuke-demo-<user>.png in the folder for temporary files)",
      valueName: "file"), completion: .file(extensions: ["png"]))
  var output: String?

  @Flag(help: "Print one JSON object a line instead of text.")
  var json = false

  /// Everybody's own: the folder for temporary files is shared, and nobody may replace the file of another.
  private static var defaultOutput: String {
    FileManager.default.temporaryDirectory.appendingPathComponent("nuke-demo-\(getuid()).png").path
  }

  func run() async throws {
    let console = Console()
    Interrupt.handle { console.draw(bars: []) }
    do {
      guard try await show(on: console) else { throw ExitCode(1) }
    } catch let error as ExitCode {
      throw error
    } catch {
      console.printError("demo: \(LoadFailure(error, limit: nil).reason)")
      throw ExitCode(1)
    }
  }

  /// A pipeline that counts nothing but its own work: it leaves nothing in the user's caches, and finds nothing there.
  static func pipeline(imageCache: ImageCache?) -> ImagePipeline {
    ImagePipeline {
      $0.dataLoader = DataLoader(configuration: .init())
      $0.imageCache = imageCache
    }
  }

  /// Returns `true` if every count is as promised.
  private func show(on console: Console) async throws -> Bool {
    _ = try Samples.folder()
    let origin = try DemoOrigin()
    defer { origin.stop() }
    var script = DemoScript(
      origin: origin,
      pipeline: Self.pipeline(imageCache: ImageCache()),
      say: { if !json { console.print("• " + $0.onOneLine) } },
      makeProgress: {
        guard Terminal.isInteractive(STDERR_FILENO) else { return nil }
        return ProgressDisplay(
          count: 1, interval: 0.05, width: { Terminal.width(STDERR_FILENO) },
          now: { ProcessInfo.processInfo.systemUptime }, draw: { console.draw(bars: $0) })
      })
    try await script.run()

    let table = script.table
    let path = output ?? Self.defaultOutput
    guard let sheet = ContactSheet().draw(script.images) else { throw DemoError("no memory for the contact sheet") }
    try AtomicFile.write(try PNGWriter().encode(sheet), to: path)

    if json {
      for row in table.rows { console.print(row.json.text) }
      console.print(JSON.members(["ok": .bool(table.isKept), "contactSheet": .string(path)]).text)
    } else {
      console.print("")
      for line in table.lines(hasColor: Terminal.hasColor(STDOUT_FILENO)) { console.print(line) }
      let kept = table.rows.count(where: \.isKept)
      console.print("\(kept) of \(table.rows.count) promises kept. Contact sheet: \(path.onOneLine)")
    }
    return table.isKept
  }
}
