import Foundation
import Nuke

/// What an image says of itself, and how much of it had to be read.
struct ImageInfo: Sendable {
  let header: ImageHeader
  /// Bytes that were read until the header was known.
  let bytesRead: Int
}

/// Finds the header in bytes as they come, looking again whenever there are twice as many.
struct HeaderScanner {
  /// Bytes that are read first: enough for most images.
  static let firstStep = 4096
  /// Bytes after which the search ends, so that a stream without an end cannot fill the memory.
  static let limit = 256 << 20

  /// How many bytes there are to be before the next look.
  private(set) var wanted = Self.firstStep
  private var header: ImageHeader?

  /// The header once nothing is missing of it; `nil` if more bytes are needed.
  mutating func scan(_ data: Data) throws(CodecError) -> ImageHeader? {
    guard data.count >= wanted else { return nil }
    wanted = max(wanted, data.count) * 2
    header = try ImageReaders.header(ofPrefix: data)
    return header?.frameCount == nil ? nil : header
  }

  /// The header of what turned out to be all of the bytes.
  mutating func finish(_ data: Data) throws(CodecError) -> ImageHeader {
    // A header tells what an image asks for; whether it gets that is for those who decode it.
    let unlimited = CodecLimits(maximumPixelCount: .max, maximumSide: .max, maximumFrameCount: .max)
    do throws(CodecError) {
      return try ImageReaders.reader(for: data, limits: unlimited).header
    } catch {
      // A damaged end does not take away what the beginning says.
      if let header = header ?? (try? ImageReaders.header(ofPrefix: data)) { return header }
      throw error
    }
  }
}

extension ImageInfo {
  /// Reads as much of `source` as it takes.
  static func read(_ source: Source, loader: DataLoader) async throws(LoadFailure) -> ImageInfo {
    switch source.location {
    case .unusable(let reason): throw LoadFailure(reason)
    case .file(let path): return try read(path: path)
    case .url(let url) where url.isFileURL: return try read(path: url.path)
    case .url(let url): return try await download(url, loader: loader)
    }
  }

  private static func read(path: String) throws(LoadFailure) -> ImageInfo {
    do {
      let file = try PrefixFile(path: path)
      var data = Data()
      var scanner = HeaderScanner()
      while data.count < HeaderScanner.limit, try file.append(to: &data, upTo: scanner.wanted) {
        if let header = try scanner.scan(data) { return ImageInfo(header: header, bytesRead: data.count) }
      }
      guard !data.isEmpty else { throw LoadFailure("the file is empty") }
      return ImageInfo(header: try scanner.finish(data), bytesRead: data.count)
    } catch let failure as LoadFailure {
      throw failure
    } catch {
      throw LoadFailure(error, limit: nil)
    }
  }

  /// Downloads until the header is known, and closes the connection there.
  private static func download(_ url: URL, loader: DataLoader) async throws(LoadFailure) -> ImageInfo {
    let download = HeaderDownload()
    let result = await withCheckedContinuation { continuation in
      download.start(url, loader: loader) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }
}

/// A file that is read from its beginning, as far as it is wanted.
private final class PrefixFile {
  private let descriptor: Int32

  init(path: String) throws(LoadFailure) {
    // Opening a pipe without O_NONBLOCK would wait for its writer.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let code = errno
      throw LoadFailure(code == ENOENT || code == ENOTDIR ? "no such file" : "cannot be read: \(FileError.text(code))")
    }
    var information = stat()
    let kind = fstat(descriptor, &information) == 0 ? information.st_mode & S_IFMT : 0
    guard kind != S_IFDIR else { throw LoadFailure("it is a folder, not an image") }
    guard kind == S_IFREG else { throw LoadFailure("it is not a regular file") }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Reads until `data` has `size` bytes; `false` if the file ends before.
  func append(to data: inout Data, upTo size: Int) throws(LoadFailure) -> Bool {
    var chunk = [UInt8](repeating: 0, count: min(size - data.count, 1 << 20))
    while data.count < size {
      let count = chunk.withUnsafeMutableBytes {
        Foundation.read(descriptor, $0.baseAddress, min($0.count, size - data.count))
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw LoadFailure("cannot be read: \(FileError.text(errno))")
      }
      if count == 0 { return false }
      data.append(contentsOf: chunk.prefix(count))
    }
    return true
  }
}

/// A download that ends as soon as the header is known.
private final class HeaderDownload: Sendable {
  private struct State {
    var data = Data()
    var scanner = HeaderScanner()
    var found: Result<ImageInfo, LoadFailure>?
    var transfer: (any Cancellable)?
  }

  private let state = Lock(State())

  func start(
    _ url: URL, loader: DataLoader, completion: @escaping @Sendable (Result<ImageInfo, LoadFailure>) -> Void
  ) {
    let transfer = loader.loadData(with: URLRequest(url: url)) { chunk, _ in
      self.receive(chunk)
    } completion: { error in
      completion(self.finish(error))
    }
    let isFound = state.withLock { state in
      state.transfer = transfer
      return state.found != nil
    }
    if isFound { transfer.cancel() }
  }

  private func receive(_ chunk: Data) {
    let transfer: (any Cancellable)? = state.withLock { state in
      guard state.found == nil else { return nil }
      state.data.append(chunk)
      do throws(CodecError) {
        let header: ImageHeader
        if let scanned = try state.scanner.scan(state.data) {
          header = scanned
        } else if state.data.count >= HeaderScanner.limit {
          header = try state.scanner.finish(state.data)
        } else {
          return nil
        }
        state.found = .success(ImageInfo(header: header, bytesRead: state.data.count))
      } catch {
        state.found = .failure(LoadFailure(error, limit: nil))
      }
      return state.transfer
    }
    transfer?.cancel()
  }

  private func finish(_ error: (any Error)?) -> Result<ImageInfo, LoadFailure> {
    state.withLock { state in
      state.transfer = nil
      if let found = state.found { return found }
      if let error { return .failure(LoadFailure(error, limit: nil)) }
      guard !state.data.isEmpty else { return .failure(LoadFailure("the source is empty: it has no bytes")) }
      do throws(CodecError) {
        return .success(ImageInfo(header: try state.scanner.finish(state.data), bytesRead: state.data.count))
      } catch {
        return .failure(LoadFailure(error, limit: nil))
      }
    }
  }
}
