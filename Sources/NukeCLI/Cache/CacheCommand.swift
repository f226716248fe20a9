#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// `nuke cache`: maintains the folder of a disk cache.
  struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "cache",
      abstract: "Maintain a disk cache: that of --cache, or of any program with a DataCache.",
      discussion: """
        Other processes may use the cache at the same time. A folder that is not a cache is rejected and left unchanged.

        EXAMPLES
          nuke cache stats images
          nuke cache verify images --remove
          nuke cache sweep images --cache-size 100M
          nuke cache clear images --yes
        """,
      subcommands: [
        CacheStatsCommand.self, CacheVerifyCommand.self, CacheSweepCommand.self, CacheClearCommand.self,
      ])
  }

  /// The folder of a cache.
  struct CacheFolderArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The folder of the cache.", valueName: "folder"), completion: .directory)
    var path: String

    func validate() throws {
      if path.isEmpty { throw ValidationError("Specify the folder of a cache.") }
    }
  }

  /// A command that works on the store of a cache.
  protocol CacheSubcommand: AsyncParsableCommand, Sendable {
    var folder: CacheFolderArgument { get }
    var session: Session { get }
    func run(on store: DiskStore, _ session: Session) throws(CommandFailure)
  }

  extension CacheSubcommand {
    func run() async throws {
      let session = session
      let path = folder.path
      // Off the threads that Swift's tasks share, since it waits for the disk.
      let result: Result<Void, CommandFailure> = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          continuation.resume(
            returning: Result { () throws(CommandFailure) in try self.run(on: try CacheSite.store(at: path), session) })
        }
      }
      try session.attempt { try result.get() }
      try session.finish()
    }

    /// Returns the contents of the store.
    func overview(of store: DiskStore) throws(CommandFailure) -> DiskStore.Overview {
      guard let overview = store.overview() else { throw CacheSite.locked(folder.path) }
      return overview
    }

    /// Prints the entries that `removal` removes.
    func printRemoval(
      from store: DiskStore, _ session: Session, _ removal: () throws(CommandFailure) -> Void
    ) throws(CommandFailure) -> DiskStore.Totals {
      let before = try overview(of: store).totals
      try removal()
      let after = try overview(of: store).totals
      printRemoval(from: before, to: after, session)
      return after
    }

    /// Prints the difference of the totals before and after a removal.
    ///
    /// - Parameter isDryRun: `true` if nothing was removed.
    func printRemoval(
      from before: DiskStore.Totals, to after: DiskStore.Totals, isDryRun: Bool = false, _ session: Session
    ) {
      // Another process may have stored entries in the meantime.
      let count = max(0, before.count - after.count)
      let allocated = max(0, before.allocated - after.allocated)
      session.print(
        .members([
          "folder": .string(folder.path), "dryRun": isDryRun ? .bool(true) : nil, "removed": .integer(count),
          "freed": .integer(allocated), "entries": .integer(after.count), "bytes": .integer(after.length),
          "allocated": .integer(after.allocated),
        ]),
        [
          "\(isDryRun ? "would remove" : "removed") \(Format.count(count, "entry")) "
            + "(\(Format.bytes(Int64(allocated)))); left: \(after.text)"
        ])
    }
  }

  extension DiskStore.Totals {
    /// Such as "3 entries, 1.02 MB on disk".
    fileprivate var text: String { "\(Format.count(count, "entry")), \(Format.bytes(Int64(allocated))) on disk" }
  }

  /// `nuke cache sweep`: reduces a cache to a size.
  struct CacheSweepCommand: CacheSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "sweep",
      abstract: "Remove the least recently used entries until a cache does not exceed a size.",
      discussion: """
        This happens once. A program that uses the cache has a size limit of its own.

        EXAMPLES
          nuke cache sweep images --cache-size 100M
          nuke cache sweep images --cache-size 2G --dry-run --json
        """)

    @OptionGroup var folder: CacheFolderArgument

    @Option(help: ArgumentHelp("Maximum size on disk, in bytes or as 500K, 20M, 1G.", valueName: "bytes"))
    var cacheSize: ByteLimit

    @Flag(help: .removalDryRun) var dryRun = false

    @Flag(help: .jsonObject) var json = false

    var session: Session { Session(json: json) }

    func run(on store: DiskStore, _ session: Session) throws(CommandFailure) {
      if dryRun {
        guard let (before, after) = store.totals(sweptTo: cacheSize.bytes) else { throw CacheSite.locked(folder.path) }
        return printRemoval(from: before, to: after, isDryRun: true, session)
      }
      let after = try printRemoval(from: store, session) { () throws(CommandFailure) in
        store.sizeLimit = cacheSize.bytes
        store.sweep()
      }
      if after.allocated > cacheSize.bytes {
        session.fail(
          "\(folder.path) is still larger than \(Format.bytes(Int64(cacheSize.bytes))): files cannot be removed")
      }
    }
  }

  /// `nuke cache clear`: removes all entries of a cache.
  struct CacheClearCommand: CacheSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "clear",
      abstract: "Remove all entries of a cache.",
      discussion: """
        Asks for confirmation on a terminal, and otherwise needs --yes. Removes only the files of entries. The folder and \
        other files in it stay.

        EXAMPLES
          nuke cache clear images
          nuke cache clear images --yes
        """)

    @OptionGroup var folder: CacheFolderArgument

    @Flag(name: [.short, .long], help: "Do not ask for confirmation.")
    var yes = false

    @Flag(help: .removalDryRun) var dryRun = false

    @Flag(help: .jsonObject) var json = false

    var session: Session { Session(json: json) }

    func run(on store: DiskStore, _ session: Session) throws(CommandFailure) {
      let totals = try overview(of: store).totals
      if dryRun { return printRemoval(from: totals, to: DiskStore.Totals(), isDryRun: true, session) }
      if !yes, totals.count > 0 {
        guard Terminal.canAsk else {
          throw CommandFailure("nothing was removed from \(folder.path): there is no terminal to ask on, so use --yes")
        }
        guard session.console.ask("Remove \(totals.text), from \(folder.path.onOneLine)? [y/N] ") else {
          throw CommandFailure("nothing was removed")
        }
      }
      _ = try printRemoval(from: store, session) { () throws(CommandFailure) in
        guard store.removeAll() else { throw CacheSite.locked(folder.path) }
      }
    }
  }

  extension ArgumentHelp {
    static let jsonObject: Self = "Print one JSON object instead of text."
    static let removalDryRun: Self = "Print how many entries would be removed, and remove nothing."
  }
#endif
