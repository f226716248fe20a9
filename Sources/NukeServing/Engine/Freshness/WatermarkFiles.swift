import Foundation
import NukeBase
import NukeHTTPCaching

/// Keeps the files of recently loaded watermarks in memory, because the same few are drawn over many images.
final class WatermarkFiles: Sendable {
  /// The maximum number of files. With ``byteLimit``, they need at most 16 MiB.
  private static let countLimit = 64
  /// The maximum size of a file, in bytes.
  private static let byteLimit = 256 << 10

  private let files = Lock(RecentTable<String, (file: SourceFile, purge: PurgeID?)>(limit: countLimit))

  /// Returns the file if it is fresh.
  ///
  /// - Parameter purge: the last purge of the watermark, before which files do not count; `nil` to count all.
  func file(at url: String, after purge: PurgeID?, now: Timestamp) -> SourceFile? {
    guard let kept = files.withLock({ $0[url] }), purge == nil || kept.purge == purge,
      kept.file.check.freshness.state(at: now) == .fresh
    else { return nil }
    return kept.file
  }

  /// Keeps a file that may be shared, if it is small.
  ///
  /// - Parameter purge: the last purge of the watermark when the load began.
  func keep(_ file: SourceFile, at url: String, after purge: PurgeID?) {
    let isKept = file.check.freshness.cacheability == .shared && file.data.count <= Self.byteLimit
    files.withLock { $0[url] = isKept ? (file, purge) : nil }
  }

  func remove(at url: String) { files.withLock { $0[url] = nil } }
}
