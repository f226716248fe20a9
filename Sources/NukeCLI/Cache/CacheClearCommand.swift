import ArgumentParser
import Foundation
import Nuke

/// `nuke cache clear`: removes all entries of a cache.
struct CacheClearCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Remove all entries of a cache.",
    discussion: """
      Asks before, on a terminal; anywhere else it needs --yes. Removes the files of entries and nothing else: the folder \
      stays, and so does whatever else is in it.
      """)

  @OptionGroup var folder: CacheFolderArgument

  @Flag(name: [.short, .long], help: "Do not ask.")
  var yes = false

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  func run() async throws {
    let console = Console()
    Interrupt.handle()
    try await folder.withStore(console) { [path = folder.path, yes, json] store throws(CacheSite.Failure) in
      let before = try CacheSite.overview(of: store, at: path).totals
      if !yes, before.count > 0 {
        guard Terminal.canAsk else {
          throw CacheSite.Failure("nothing was removed from \(path): there is no terminal to ask on, so say --yes")
        }
        guard console.ask("Remove \(before.text), from \(path.onOneLine)? [y/N] ") else {
          throw CacheSite.Failure("nothing was removed")
        }
      }
      guard store.apply([.removeAll]) else { throw CacheSite.locked(path) }
      let after = try CacheSite.overview(of: store, at: path).totals
      CacheRemoval(folder: path, before: before, after: after).print(on: console, json: json)
      return true
    }
  }
}
