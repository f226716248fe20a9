import Foundation
import NukeHTTPCaching
import NukeImaging

/// Keeps the files of recently loaded watermarks in memory, because the same few are drawn over many images.
final class WatermarkFiles: Sendable {
  /// At most 64 files of 256 KiB: 16 MiB.
  private static let countLimit = 64
  private static let byteLimit = 256 << 10

  private let files = Lock(RecentTable<String, SourceFile>(limit: countLimit))

  /// Returns the file if it is fresh.
  func file(at url: String, now: Timestamp) -> SourceFile? {
    guard let file = files.withLock({ $0[url] }), file.check.freshness.state(at: now) == .fresh else { return nil }
    return file
  }

  /// Keeps a file that may be shared, if it is small.
  func keep(_ file: SourceFile, at url: String) {
    let isKept = file.check.freshness.cacheability == .shared && file.data.count <= Self.byteLimit
    files.withLock { $0[url] = isKept ? file : nil }
  }

  func remove(at url: String) { files.withLock { $0[url] = nil } }
}
