#if Command
  import Foundation
  import Nuke

  /// Opens the folders of caches. A folder that contains other files is never used as a cache.
  enum CacheSite {
    /// Opens the cache at `path`, or creates one.
    ///
    /// - Parameter size: the size limit. The default is that of a cache, or the current size if it is larger, so that
    ///   reading the large cache of another program removes nothing.
    static func cache(at path: String, size: Int?) throws(CommandFailure) -> DataCache {
      try check(path)
      switch DiskStore.site(at: path) {
      case .absent, .empty, .store: break
      case .other: throw notACache(path)
      case .unusable(let code): throw unusable(path, code)
      }
      let cache: DataCache
      do {
        cache = try DataCache(path: URL(fileURLWithPath: path, isDirectory: true))
      } catch {
        throw CommandFailure("\(error)")
      }
      cache.sizeLimit = size ?? max(cache.sizeLimit, cache.totalAllocatedSize)
      return cache
    }

    /// Opens the store of an existing cache, without a limit that would remove entries.
    static func store(at path: String) throws(CommandFailure) -> DiskStore {
      try check(path)
      switch DiskStore.site(at: path) {
      case .store: break
      case .absent: throw CommandFailure("no such folder: \(path)")
      case .empty: throw CommandFailure("\(path) is not a cache: it is empty")
      case .other: throw notACache(path)
      case .unusable(let code): throw unusable(path, code)
      }
      var options = DiskStore.Options()
      options.sizeLimit = .max
      options.freeSpaceReserve = 0
      do {
        return try DiskStore(path: path, options: options)
      } catch {
        throw unusable(path, error.code)
      }
    }

    private static func check(_ path: String) throws(CommandFailure) {
      guard !path.hasRawBytes else { throw CommandFailure("cannot use \(path) as a cache: its name is not UTF-8") }
    }

    static func locked(_ path: String) -> CommandFailure {
      CommandFailure("the cache \(path) cannot be locked: another process holds it, or its files are not writable")
    }

    private static func notACache(_ path: String) -> CommandFailure {
      CommandFailure("\(path) is not a cache: it contains other files. It was left unchanged")
    }

    private static func unusable(_ path: String, _ code: Int32) -> CommandFailure {
      CommandFailure("cannot use \(path) as a cache: \(FileError.text(code))")
    }
  }

  /// An empty cache for a dry run, which must not create a folder.
  struct EmptyDataCache: DataCaching {
    func cachedData(for key: String) -> Data? { nil }
    func containsData(for key: String) -> Bool { false }
    func storeData(_ data: Data, for key: String) {}
    func removeData(for key: String) {}
    func removeAll() {}
  }
#endif
