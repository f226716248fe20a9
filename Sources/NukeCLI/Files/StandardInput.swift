import Foundation
import Nuke

/// The bytes of an image on standard input, which are read once.
enum StandardInput {
  /// The maximum number of bytes without `--max-bytes`.
  private static let usualLimit = 1 << 30

  private static let content = Lock<Result<Data, LoadFailure>?>(nil)

  /// Returns all bytes. Waits for them on a separate thread.
  ///
  /// - Parameter limit: the maximum number of bytes.
  static func data(limit: Int? = nil) async throws(LoadFailure) -> Data {
    let result: Result<Data, LoadFailure> = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          returning: content.withLock { content in
            let result = content ?? Result { () throws(LoadFailure) in try read(limit ?? usualLimit) }
            content = result
            return result
          })
      }
    }
    return try result.get()
  }

  /// Throws if standard input is a terminal. The bytes of an image cannot be typed.
  static func check() throws(LoadFailure) {
    guard isatty(STDIN_FILENO) == 0 else {
      throw LoadFailure("it is a terminal: redirect a file or a pipe to it")
    }
  }

  private static func read(_ limit: Int) throws(LoadFailure) -> Data {
    try check()
    var data = Data()
    // One byte more than the limit shows that there are too many.
    let size = limit == .max ? limit : limit + 1
    do throws(FileError) {
      if try !Descriptor.read(STDIN_FILENO, into: &data, upTo: size, named: "standard input") { return data }
    } catch {
      throw LoadFailure("cannot be read: \(error.reason)")
    }
    throw .tooLarge(limit: limit)
  }
}
