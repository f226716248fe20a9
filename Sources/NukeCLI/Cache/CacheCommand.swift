import ArgumentParser
import Foundation
import Nuke

/// `nuke cache`: looks after the folder of a disk cache.
struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache",
    abstract: "Look after a disk cache: that of --cache, or of any program with a DataCache.",
    discussion: """
      Other processes may use the cache meanwhile. A folder that is not that of a cache is refused and left as it is.

      EXAMPLES
        nuke cache stats images
        nuke cache verify images --remove
        nuke cache sweep images --size 100M
        nuke cache clear images --yes
      """,
    subcommands: [
      CacheStatsCommand.self, CacheVerifyCommand.self, CacheSweepCommand.self, CacheClearCommand.self,
    ])
}

/// The folder that each of its commands takes.
struct CacheFolderArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("The folder of the cache.", valueName: "folder"), completion: .directory)
  var path: String

  func validate() throws {
    if path.isEmpty { throw ValidationError("Give the folder of a cache.") }
  }

  /// Runs `body` on the store there, off the threads that Swift's tasks share, and says in one line why it cannot be.
  func withStore(
    _ console: Console, _ body: @escaping @Sendable (DiskStore) throws(CacheSite.Failure) -> Bool
  ) async throws {
    let path = path
    let outcome: Result<Bool, CacheSite.Failure> = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          returning: Result { () throws(CacheSite.Failure) in try body(try CacheSite.store(at: path)) })
      }
    }
    switch outcome {
    case .success(true): break
    case .success(false): throw ExitCode(1)
    case .failure(let failure):
      console.printError(failure.description)
      throw ExitCode(1)
    }
  }
}

extension DiskStore.Totals {
  /// "3 entries, 1.02 MB on disk".
  var text: String { "\(Format.count(count, "entry")), \(Format.bytes(Int64(allocated))) on disk" }
}
