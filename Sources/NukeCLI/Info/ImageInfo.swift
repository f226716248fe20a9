import Foundation
import Nuke

/// The header of an image, and the number of bytes that were read for it.
struct ImageInfo: Sendable {
  let header: ImageHeader
  let bytesRead: Int

  /// Reads as much of `source` as necessary.
  static func read(_ source: Source, loader: DataLoader) async throws(LoadFailure) -> ImageInfo {
    if let pipe = source.pipe {
      return try pipe.withDescriptor { descriptor throws(LoadFailure) in
        try read(descriptor, named: source.displayName)
      }
    }
    if let path = source.path { return try read(path: path) }
    let url = try source.loadableURL()
    let download = HeaderDownload()
    let result = await withCheckedContinuation { continuation in
      download.start(url, loader: loader) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  private static func read(path: String) throws(LoadFailure) -> ImageInfo {
    // Opening a pipe without O_NONBLOCK would wait for its writer.
    let descriptor = path.withSystemPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      let code = errno
      throw LoadFailure(code == ENOENT || code == ENOTDIR ? "no such file" : "cannot be read: \(FileError.text(code))")
    }
    defer { close(descriptor) }
    var information = stat()
    let kind = fstat(descriptor, &information) == 0 ? information.st_mode & S_IFMT : 0
    guard kind != S_IFDIR else { throw LoadFailure("it is a folder, not an image") }
    guard kind == S_IFREG else { throw LoadFailure("it is not a regular file") }
    return try read(descriptor, named: path)
  }

  private static func read(_ descriptor: Int32, named path: String) throws(LoadFailure) -> ImageInfo {
    var search = HeaderSearch()
    do {
      while try Descriptor.read(descriptor, into: &search.data, upTo: search.wanted, named: path) {
        if let info = try search.scan() { return info }
      }
      guard !search.data.isEmpty else { throw LoadFailure("the file is empty") }
      return try search.finish()
    } catch let error as FileError {
      throw LoadFailure("cannot be read: \(error.reason)")
    } catch {
      throw LoadFailure(error)
    }
  }
}

/// Finds the header in data as it arrives, and tries again whenever the data has doubled.
private struct HeaderSearch {
  /// Number of bytes after which the search ends, so that an endless stream cannot fill the memory.
  private static let limit = 256 << 20

  var data = Data()
  /// The number of bytes of the next attempt.
  private(set) var wanted = 4096
  private var header: ImageHeader?

  /// Returns the header if it is complete; `nil` if more data is needed.
  mutating func scan() throws(CodecError) -> ImageInfo? {
    guard data.count >= wanted else { return nil }
    guard data.count < Self.limit else { return try finish() }
    wanted = data.count * 2
    header = try ImageReaders.header(ofPrefix: data)
    guard let header, header.frameCount != nil || header.format.isVideo else { return nil }
    return ImageInfo(header: header, bytesRead: data.count)
  }

  /// Returns the header of complete data.
  func finish() throws(CodecError) -> ImageInfo {
    // A header is described whatever its size. Limits apply to decoding.
    do throws(CodecError) {
      let header = try ImageReaders.reader(for: data, limits: .unlimited).header
      return ImageInfo(header: header, bytesRead: data.count)
    } catch {
      // If the end is damaged, the beginning may still have a header.
      guard let header = header ?? (try? ImageReaders.header(ofPrefix: data)) else { throw error }
      return ImageInfo(header: header, bytesRead: data.count)
    }
  }
}

/// A download that ends when the header is known.
private final class HeaderDownload: Sendable {
  private struct State {
    var search = HeaderSearch()
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
      state.search.data.append(chunk)
      do throws(CodecError) {
        guard let info = try state.search.scan() else { return nil }
        state.found = .success(info)
      } catch {
        state.found = .failure(LoadFailure(error))
      }
      return state.transfer
    }
    transfer?.cancel()
  }

  private func finish(_ error: (any Error)?) -> Result<ImageInfo, LoadFailure> {
    state.withLock { state in
      state.transfer = nil
      if let found = state.found { return found }
      if let error { return .failure(LoadFailure(error)) }
      guard !state.search.data.isEmpty else { return .failure(LoadFailure("the source is empty: it has no bytes")) }
      return Result { () throws(CodecError) in try state.search.finish() }.mapError { LoadFailure($0) }
    }
  }
}
