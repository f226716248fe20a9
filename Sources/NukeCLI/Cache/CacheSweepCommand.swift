import ArgumentParser
import Foundation
import Nuke

/// `nuke cache sweep`: brings a cache to a size.
struct CacheSweepCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Remove what was used longest ago, until a cache takes no more than a size.",
    discussion: """
      This is done once: a program that uses the cache keeps to a limit of its own.
      """)

  @OptionGroup var folder: CacheFolderArgument

  @Option(help: ArgumentHelp("The most that may stay on disk: bytes, or as 500K, 20M, 1G.", valueName: "bytes"))
  var size: ByteLimit

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  func run() async throws {
    let console = Console()
    Interrupt.handle()
    try await folder.withStore(console) { [path = folder.path, size, json] store throws(CacheSite.Failure) in
      let before = try CacheSite.overview(of: store, at: path).totals
      store.sizeLimit = size.bytes
      store.sweep()
      let after = try CacheSite.overview(of: store, at: path).totals
      CacheRemoval(folder: path, before: before, after: after).print(on: console, json: json)
      guard after.allocated <= size.bytes else {
        console.printError("\(path) is still larger than \(Format.bytes(Int64(size.bytes))): files cannot be removed")
        return false
      }
      return true
    }
  }
}

/// What was removed from a cache.
struct CacheRemoval {
  let folder: String
  let before: DiskStore.Totals
  let after: DiskStore.Totals

  func print(on console: Console, json: Bool) {
    // Others may have stored something meanwhile.
    let count = max(0, before.count - after.count)
    let allocated = max(0, before.allocated - after.allocated)
    if json {
      console.print(
        JSON.members([
          "folder": .string(folder), "removed": .integer(count), "freed": .integer(allocated),
          "entries": .integer(after.count), "bytes": .integer(after.length), "allocated": .integer(after.allocated),
        ]).text)
    } else {
      let removed = "\(Format.count(count, "entry")) (\(Format.bytes(Int64(allocated))))"
      console.print("removed \(removed); left: \(after.text)")
    }
  }
}
