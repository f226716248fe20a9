import ArgumentParser
import Foundation
import Nuke

/// `nuke cache stats`: tells what is in a cache.
struct CacheStatsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Tell how much is in a cache.",
    discussion: """
      Prints how many entries there are, the bytes of their data, the bytes they take on disk (in blocks of 4 KiB, with \
      what is kept beside the data), and when those that were used first and last of all were last used.
      """)

  @OptionGroup var folder: CacheFolderArgument

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  func run() async throws {
    let console = Console()
    Interrupt.handle()
    try await folder.withStore(console) { [path = folder.path, json] store throws(CacheSite.Failure) in
      let overview = try CacheSite.overview(of: store, at: path)
      if json {
        console.print(
          JSON.members([
            "folder": .string(path), "entries": .integer(overview.totals.count),
            "bytes": .integer(overview.totals.length), "allocated": .integer(overview.totals.allocated),
            "oldestUse": .string(overview.oldestUse.map(UseTime.internet)),
            "newestUse": .string(overview.newestUse.map(UseTime.internet)),
          ]).text)
      } else {
        console.print("entries     \(overview.totals.count)")
        console.print("data        \(Format.bytes(Int64(overview.totals.length)))")
        console.print("on disk     \(Format.bytes(Int64(overview.totals.allocated)))")
        if let oldest = overview.oldestUse, let newest = overview.newestUse {
          console.print("last used   from \(UseTime.local(oldest)) to \(UseTime.local(newest))")
        }
      }
      return true
    }
  }
}

/// When an entry was used: nanoseconds since 1970 as text.
enum UseTime {
  private static func date(_ nanoseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(nanoseconds) / 1e9) }

  /// As RFC 3339 has it, in UTC: "2026-11-21T14:05:09Z".
  static func internet(_ nanoseconds: Int64) -> String { date(nanoseconds).formatted(.iso8601) }

  /// In the time of this place: "2026-11-21 15:05:09".
  static func local(_ nanoseconds: Int64) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
    return formatter.string(from: date(nanoseconds))
  }
}
