#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// `nuke cache verify`: reads every entry of a cache and compares it with its checksum.
  struct CacheVerifyCommand: CacheSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Read every entry of a cache and find damaged ones.",
      discussion: """
        Prints each damaged entry to standard error. Programs that find a damaged entry treat it as a cache miss and remove \
        it, so nothing has to be done about it.

        EXAMPLES
          nuke cache verify images
          nuke cache verify images --remove --quiet

        The exit status is 0 if all entries are intact, or the damaged ones were removed; 1 if some are damaged or could \
        not be read; and 2 for invalid usage.
        """)

    @OptionGroup var folder: CacheFolderArgument

    @Flag(help: "Remove damaged entries.")
    var remove = false

    @Flag(help: "Print JSON instead of text: one object per line for each damaged entry, and one at the end.")
    var json = false

    @Flag(help: "Print only damaged entries.")
    var quiet = false

    func validate() throws {
      if json, quiet { throw ValidationError("Use either --json or --quiet.") }
    }

    var session: Session { Session(json: json, quiet: quiet) }

    func run(on store: DiskStore, _ session: Session) throws(CommandFailure) {
      let progress = session.progress(count: try overview(of: store).totals.count)
      defer { progress?.finish() }
      var completedLength = 0
      let result = store.verify(isRemoving: remove) { state, damage in
        progress?.count(bytes: Int64(state.completedLength - completedLength), failed: damage != nil)
        completedLength = state.completedLength
        if let damage { report(damage, session) }
      }
      guard let result else { throw CacheSite.locked(folder.path) }
      progress?.finish()
      let isGood = result.damagedCount == result.removedCount && result.unreadableCount == 0
      if !isGood { session.markFailed() }
      session.print(
        .members([
          "ok": .bool(isGood), "entries": .integer(result.completedCount), "bytes": .integer(result.completedLength),
          "whole": .integer(result.wholeCount), "damaged": .integer(result.damagedCount),
          "removed": .integer(result.removedCount), "unreadable": .integer(result.unreadableCount),
        ]), [result.summary])
    }

    private func report(_ damage: DiskStore.Damage, _ session: Session) {
      let path = (folder.path as NSString).appendingPathComponent(damage.path)
      let name = damage.key.map { "\(path) (\($0))" } ?? path
      session.console.printError("\(name): \(damage.kind.text)\(damage.isRemoved ? "; removed" : "")")
      session.print(
        .members([
          "file": .string(path), "key": .string(damage.key), "error": .string(damage.kind.text),
          "removed": .bool(damage.isRemoved),
        ]), [])
    }
  }

  extension DiskStore.Verification {
    fileprivate var summary: String {
      var parts = ["\(Format.count(wholeCount, "entry")) intact"]
      if damagedCount > 0 {
        parts.append("\(damagedCount) damaged" + (removedCount > 0 ? ", of which \(removedCount) removed" : ""))
      }
      if unreadableCount > 0 { parts.append("\(unreadableCount) could not be read") }
      return parts.joined(separator: ", ") + ": \(Format.bytes(Int64(completedLength))) read"
    }
  }

  extension DiskStore.Damage.Kind {
    fileprivate var text: String {
      switch self {
      case .metadata: "the metadata is missing or damaged"
      case .body: "the data is missing"
      case .length: "the data does not have the stored length"
      case .bytes: "the data does not match its checksum"
      }
    }
  }
#endif
