import Foundation

extension ThumbnailCache {
  /// The name of a file that becomes a thumbnail: hidden, and with an end of its own, so that nobody takes it for one.
  static func temporaryName() -> String { ".\(getpid())-\(UInt64.random(in: 0...UInt64.max)).part" }

  private static func isTemporary(_ name: String) -> Bool { name.wholeMatch(of: /\.[0-9]+-[0-9]+\.part/) != nil }

  /// Nobody writes a thumbnail for longer: seconds.
  private static let patience: Int64 = 3600

  /// The folders that this process has looked through.
  private static let swept = Lock(Set<String>())

  /// Removes what processes that died left half written, once for each folder.
  func sweep(_ folder: String) {
    guard Self.swept.withLock({ $0.insert(folder).inserted }) else { return }
    let oldest = (Int64(Date().timeIntervalSince1970) - Self.patience) * 1_000_000_000
    for name in fileSystem.names(in: folder, of: AT_FDCWD) where Self.isTemporary(name) {
      let path = folder + "/" + name
      guard case .success(let status) = fileSystem.status(path, in: AT_FDCWD), status.isRegular,
        status.modified < oldest
      else { continue }
      _ = fileSystem.remove(path, in: AT_FDCWD)
    }
  }
}
