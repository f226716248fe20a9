#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// `nuke cache stats`: prints the size and the age of a cache.
  struct CacheStatsCommand: CacheSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "stats",
      abstract: "Print the size of a cache.",
      discussion: """
        Prints the number of entries, the bytes of their data, the bytes on disk (in blocks of 4 KiB, with metadata), and \
        when the least and the most recently used entries were used.

        EXAMPLES
          nuke cache stats images
          nuke cache stats images --json
        """)

    @OptionGroup var folder: CacheFolderArgument

    @Flag(help: .jsonObject) var json = false

    var session: Session { Session(json: json) }

    func run(on store: DiskStore, _ session: Session) throws(CommandFailure) {
      let overview = try overview(of: store)
      let totals = overview.totals
      var lines = [
        "entries     \(totals.count)", "data        \(Format.bytes(Int64(totals.length)))",
        "on disk     \(Format.bytes(Int64(totals.allocated)))",
      ]
      if let oldest = overview.oldestUse, let newest = overview.newestUse {
        lines.append("last used   from \(Self.localTime(oldest)) to \(Self.localTime(newest))")
      }
      session.print(
        .members([
          "folder": .string(folder.path), "entries": .integer(totals.count), "bytes": .integer(totals.length),
          "allocated": .integer(totals.allocated),
          "oldestUse": .string(overview.oldestUse.map { Self.date($0).formatted(.iso8601) }),
          "newestUse": .string(overview.newestUse.map { Self.date($0).formatted(.iso8601) }),
        ]), lines)
    }

    private static func date(_ nanoseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(nanoseconds) / 1e9) }

    /// Such as "2026-11-21 15:05:09".
    private static func localTime(_ nanoseconds: Int64) -> String {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
      return formatter.string(from: date(nanoseconds))
    }
  }
#endif
