import Foundation
import FoundationNetworking
import Nuke

/// A process that loads with an HTTP cache beside others, which have the same folder.
struct SharedFetching {
  let folder: URL
  let origin: URL
  let seed: UInt64

  /// - Parameter arguments: those behind `fetch`.
  init?(_ arguments: ArraySlice<String>) {
    let arguments = Array(arguments)
    guard arguments.count == 3, let origin = URL(string: arguments[1]), let seed = UInt64(arguments[2]) else {
      return nil
    }
    (self.folder, self.origin) = (URL(fileURLWithPath: arguments[0], isDirectory: true), origin)
    self.seed = seed
  }

  func run() async throws {
    var configuration = DataLoader.Configuration()
    configuration.proxy = .none
    // Not enough for all of it.
    configuration.urlCache = try HTTPCache(path: folder, diskCapacity: 2 << 20)
    let loader = DataLoader(configuration: configuration)
    var random = Random(state: seed)
    while true {
      let keys = (0...random.next(6)).map { _ in random.next(30) }
      let versions = await withTaskGroup(of: String.self) { group in
        for key in keys {
          group.addTask {
            let body = await Self.body(of: origin.appendingPathComponent("\(key)"), with: loader)
            return "\(key) \(body.flatMap { WrittenBody.version(of: $0, key: key) } ?? -1)\n"
          }
        }
        return await group.reduce(into: "") { $0 += $1 }
      }
      FileHandle.standardOutput.write(Data(versions.utf8))
    }
  }

  /// `nil` if the load fails.
  private static func body(of url: URL, with loader: DataLoader) async -> Data? {
    await withCheckedContinuation { continuation in
      let body = Lock(Data())
      _ = loader.loadData(
        with: URLRequest(url: url), didReceiveData: { data, _ in body.withLock { $0 += data } },
        completion: { error in continuation.resume(returning: error == nil ? body.withLock { $0 } : nil) })
    }
  }
}
