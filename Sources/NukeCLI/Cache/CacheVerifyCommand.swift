import ArgumentParser
import Foundation
import Nuke

/// `nuke cache verify`: reads every entry of a cache and compares it with its checksum.
struct CacheVerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Read every entry of a cache and find those that are damaged.",
    discussion: """
      Each damaged entry is one line on standard error. A program that finds one takes it for missing and removes it, so \
      nothing needs to be done about it.

      The status is 0 when all are whole, or the damaged ones were removed, 1 when there are damaged ones or some could \
      not be read, 2 for wrong usage.
      """)

  @OptionGroup var folder: CacheFolderArgument

  @Flag(help: "Remove the entries that are damaged.")
  var remove = false

  @Flag(help: "Print JSON instead of text: one object a line for each damaged entry, and one at the end.")
  var json = false

  @Flag(name: [.short, .long], help: "Print nothing but what is wrong.")
  var quiet = false

  func validate() throws {
    if json, quiet { throw ValidationError("Use one of --json and --quiet.") }
  }

  func run() async throws {
    let console = Console()
    Interrupt.handle { console.draw(bars: []) }
    try await folder.withStore(console) { [self] store throws(CacheSite.Failure) in
      let overview = try CacheSite.overview(of: store, at: folder.path)
      let progress = quiet ? nil : ProgressDisplay(count: overview.totals.count, on: console)
      defer { progress?.finish() }
      var completedLength = 0
      let result = store.verify(isRemoving: remove) { state, damage in
        progress?.count(
          bytes: Int64(state.completedLength - completedLength), failed: damage != nil)
        completedLength = state.completedLength
        if let damage { report(damage, on: console) }
      }
      guard let result else { throw CacheSite.locked(folder.path) }
      progress?.finish()
      let isGood = result.damagedCount == result.removedCount && result.unreadableCount == 0
      if json {
        console.print(
          JSON.members([
            "ok": .bool(isGood), "entries": .integer(result.completedCount), "bytes": .integer(result.completedLength),
            "whole": .integer(result.wholeCount), "damaged": .integer(result.damagedCount),
            "removed": .integer(result.removedCount), "unreadable": .integer(result.unreadableCount),
          ]).text)
      } else if !quiet {
        console.print(Self.summary(result))
      }
      return isGood
    }
  }

  private func report(_ damage: DiskStore.Damage, on console: Console) {
    let path = (folder.path as NSString).appendingPathComponent(damage.path)
    let name = damage.key.map { "\(path) (\($0))" } ?? path
    console.printError("\(name): \(damage.kind.text)\(damage.isRemoved ? "; removed" : "")")
    if json {
      console.print(
        JSON.members([
          "file": .string(path), "key": .string(damage.key), "error": .string(damage.kind.text),
          "removed": .bool(damage.isRemoved),
        ]).text)
    }
  }

  private static func summary(_ result: DiskStore.Verification) -> String {
    var parts = ["\(Format.count(result.wholeCount, "entry")) whole"]
    if result.damagedCount > 0 {
      let removed = result.removedCount > 0 ? ", of which \(result.removedCount) removed" : ""
      parts.append("\(result.damagedCount) damaged" + removed)
    }
    if result.unreadableCount > 0 { parts.append("\(result.unreadableCount) could not be read") }
    return parts.joined(separator: ", ") + ": \(Format.bytes(Int64(result.completedLength))) read"
  }
}

extension DiskStore.Damage.Kind {
  /// What is wrong, as one phrase.
  var text: String {
    switch self {
    case .metadata: "what is kept beside its data is missing or damaged"
    case .body: "its data is missing"
    case .length: "its data is longer or shorter than what was stored"
    case .bytes: "its data is not what was stored"
    }
  }
}
