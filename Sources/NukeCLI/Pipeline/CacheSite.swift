import Foundation
import Nuke

/// A folder that is, or is to be, that of a cache. A folder with other things in it is never taken for one.
enum CacheSite {
  /// Why a folder cannot be used: one sentence.
  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// The cache at `path`, made if there is none.
  ///
  /// - Parameter size: the most it may hold; `nil` for the usual, or what it holds already if that is more. So a look
  ///   into the large cache of another program does not cost it what it has.
  static func cache(at path: String, size: Int?) throws(Failure) -> DataCache {
    switch DiskStore.site(at: path) {
    case .absent, .empty, .store: break
    case .other: throw notACache(path)
    case .unusable(let code): throw unusable(path, code)
    }
    let cache: DataCache
    do {
      cache = try DataCache(path: URL(fileURLWithPath: path, isDirectory: true))
    } catch {
      throw Failure("\(error)")
    }
    cache.sizeLimit = size ?? max(cache.sizeLimit, cache.totalAllocatedSize)
    return cache
  }

  /// The store of a cache that is there already. It removes nothing by itself.
  static func store(at path: String) throws(Failure) -> DiskStore {
    switch DiskStore.site(at: path) {
    case .store: break
    case .absent: throw Failure("no such folder: \(path)")
    case .empty: throw Failure("\(path) is not a cache: it is empty")
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

  /// What the store holds.
  static func overview(of store: DiskStore, at path: String) throws(Failure) -> DiskStore.Overview {
    guard let overview = store.overview() else { throw locked(path) }
    return overview
  }

  static func locked(_ path: String) -> Failure {
    Failure("the cache \(path) cannot be locked: another process has it, or its files cannot be written")
  }

  private static func notACache(_ path: String) -> Failure {
    Failure("\(path) is not a cache: there are other files in it. It was left as it is")
  }

  private static func unusable(_ path: String, _ code: Int32) -> Failure {
    Failure("cannot use \(path) as a cache: \(FileError.text(code))")
  }
}
