import Foundation
import Nuke

/// The bytes of an image on standard input or in a pipe. They can be read only once, and are kept for other loads of the
/// same source.
final class PipeInput: Sendable {
  static let standardInput = PipeInput(path: nil)

  /// The maximum number of bytes without `--max-bytes`.
  private static let usualLimit = 1 << 30
  /// The pipes that are sources, by the identity of their files.
  private static let pipes = Lock<[FileIdentity: PipeInput]>([:])

  /// `nil` for standard input.
  private let path: String?
  private let content = Lock<Result<Data, LoadFailure>?>(nil)

  private init(path: String?) { self.path = path }

  /// Returns the pipe at `path`, such as a FIFO or the `/dev/fd/63` of a shell's `<(…)`; `nil` for other files. Does not
  /// open it: its writer would not wait for another reader.
  static func at(_ path: String) -> PipeInput? {
    guard let status = path.fileStatus, status.st_mode & S_IFMT == S_IFIFO else { return nil }
    return pipes.withLock { pipes in
      let pipe = pipes[FileIdentity(status)] ?? PipeInput(path: path)
      pipes[FileIdentity(status)] = pipe
      return pipe
    }
  }

  /// Returns all bytes. Waits for them on a separate thread, and before that for a writer.
  ///
  /// - Parameter limit: the maximum number of bytes.
  func data(limit: Int? = nil) async throws(LoadFailure) -> Data {
    let result: Result<Data, LoadFailure> = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          returning: self.content.withLock { content in
            let result = content ?? Result { () throws(LoadFailure) in try self.read(limit ?? Self.usualLimit) }
            content = result
            return result
          })
      }
    }
    return try result.get()
  }

  /// Calls `body` with the descriptor to read from. Blocks until the pipe has a writer. Throws if standard input is a
  /// terminal: the bytes of an image cannot be typed.
  func withDescriptor<Value>(_ body: (Int32) throws(LoadFailure) -> Value) throws(LoadFailure) -> Value {
    guard let path else {
      guard isatty(STDIN_FILENO) == 0 else {
        throw LoadFailure("it is a terminal: redirect a file or a pipe to it")
      }
      return try body(STDIN_FILENO)
    }
    let descriptor: Int32
    do throws(FileError) {
      descriptor = try Descriptor.open(path)
    } catch {
      throw LoadFailure("cannot be read: \(error.reason)")
    }
    defer { close(descriptor) }
    return try body(descriptor)
  }

  private func read(_ limit: Int) throws(LoadFailure) -> Data {
    try withDescriptor { descriptor throws(LoadFailure) in
      var data = Data()
      // One byte more than the limit shows that there are too many.
      let size = limit == .max ? limit : limit + 1
      do throws(FileError) {
        if try !Descriptor.read(descriptor, into: &data, upTo: size, named: path ?? "standard input") { return data }
      } catch {
        throw LoadFailure("cannot be read: \(error.reason)")
      }
      throw .tooLarge(limit: limit)
    }
  }
}
