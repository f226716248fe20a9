package import Foundation
package import Nuke

/// The path of a new folder for one test. It is removed when the process exits.
///
/// It cannot be removed with this value: a store that a test no longer refers to may still write, and creates it again.
package struct DiskFolder: Sendable {
  private static let all: URL = {
    atexit { try? FileManager.default.removeItem(at: DiskFolder.all) }
    return FileManager.default.temporaryDirectory
      .appendingPathComponent("nuke-disk-\(UUID().uuidString)", isDirectory: true)
  }()

  package let url = all.appendingPathComponent(UUID().uuidString, isDirectory: true)
  package var path: String { url.path }

  package init() {}

  /// A store in it, with a small limit and no reserve unless said otherwise.
  package func store(
    limit: Int = 1 << 20, files: any DiskFileSystem = SystemFileSystem(),
    _ change: (inout DiskStore.Options) -> Void = { _ in }
  ) throws -> DiskStore {
    try DiskStore(
      path: path,
      options: options(files: files) {
        $0.sizeLimit = limit
        change(&$0)
      })
  }

  /// A cache in it, without a reserve.
  ///
  /// - Parameter leaseTime: the time by which it waits for leases.
  package func cache(
    files: any DiskFileSystem = SystemFileSystem(), leaseTime: ManualTime? = nil,
    stagingLimit: Int = 32 << 20, warnings: Warnings = .standardError,
    _ change: (inout DiskStore.Options) -> Void = { _ in }
  ) throws -> DataCache {
    let options = options(files: files) { options in
      if let leaseTime {
        options.clock = leaseTime.clock
        options.leaseTimer = leaseTime.timer
      }
      change(&options)
    }
    return try DataCache(path: url, options: options, stagingLimit: stagingLimit, warnings: warnings)
  }

  private func options(
    files: any DiskFileSystem, _ change: (inout DiskStore.Options) -> Void
  ) -> DiskStore.Options {
    var options = DiskStore.Options()
    options.freeSpaceReserve = 0
    options.files = files
    change(&options)
    return options
  }

  /// Paths of all files of entries, staged ones included.
  package var files: [String] {
    (FileManager.default.subpaths(atPath: path) ?? []).filter {
      var isFolder: ObjCBool = false
      return !["journal", "leases"].contains($0)
        && FileManager.default.fileExists(atPath: "\(path)/\($0)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }

  /// The same without spares and what is staged.
  package var entryFiles: [String] { files.filter { !$0.hasPrefix("staged-") } }

  /// Bytes that the files take, in blocks of 4 KiB.
  package var allocated: Int { allocated(by: files) }
  package var entriesAllocated: Int { allocated(by: entryFiles) }

  private func allocated(by files: [String]) -> Int {
    files.reduce(0) { sum, file in
      let size = (try? FileManager.default.attributesOfItem(atPath: "\(path)/\(file)")[.size] as? Int) ?? 0
      return sum + (size + 4095) / 4096 * 4096
    }
  }
}

extension DiskStore {
  package func put(_ data: Data, _ key: String) { store(data, DiskMetadata(kind: "data", key: key)) }
}
