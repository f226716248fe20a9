import Dispatch
import Foundation
import FoundationNetworking
import Nuke
import NukeHTTPCaching
import Synchronization

/// Reads one file and reports it like an HTTP response.
final class LocalSourceTransfer: Transfer {
  private let request: URLRequest
  private let roots: [String: String]
  private let limit: Int?
  private let isCancelled = Atomic<Bool>(false)

  private struct Pause {
    var isWanted = false
    /// The file and the offset at which a paused transfer continues.
    var suspended: (file: OpenFile, offset: Int, observer: any StreamObserver)?
  }

  private let pauseState = Lock(Pause())

  init(_ request: URLRequest, roots: [String: String], limit: Int?) {
    self.request = request
    self.roots = roots
    self.limit = limit
  }

  /// - Parameter observer: retained until the transfer has ended.
  func start(_ observer: any StreamObserver) {
    run(observer) { () throws(DataLoader.TransferError) in try self.begin(observer) }
  }

  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    continueReading()
  }

  func pause() { pauseState.withLock { $0.isWanted = true } }

  func resume() {
    pauseState.withLock { $0.isWanted = false }
    continueReading()
  }

  /// Continues a paused transfer.
  private func continueReading() {
    guard let (file, offset, observer) = pauseState.withLock({ $0.suspended.take() }) else { return }
    run(observer) { () throws(DataLoader.TransferError) in try self.deliver(file, from: offset, observer) }
  }

  /// - Parameter step: delivers bytes, and returns `true` if the file is complete.
  private func run(
    _ observer: any StreamObserver, _ step: @escaping @Sendable () throws(DataLoader.TransferError) -> Bool
  ) {
    DispatchQueue.global().async { [self] in
      do throws(DataLoader.TransferError) {
        try checkCancellation()
        if try step() { observer.didFinish(nil) }
      } catch {
        observer.didFinish(error)
      }
    }
  }

  private func begin(_ observer: any StreamObserver) throws(DataLoader.TransferError) -> Bool {
    guard let url = request.url else { throw .malformedURL("") }
    let path = try LocalSourcePath(url)
    guard let root = roots[path.root] else { throw .fileNotFound(path: path.description) }
    let file = try OpenFile(path, in: root)
    let version = file.version
    guard !isKnown(version) else {
      observer.didReceive(ResponseHead(url: url, status: 304, expectedLength: nil, fields: version.fields))
      return true
    }
    if let limit, version.size > limit { throw .bodyTooLarge(limit: limit) }
    var fields = version.fields
    fields.append("Content-Length", "\(version.size)")
    observer.didReceive(ResponseHead(url: url, status: 200, expectedLength: version.size, fields: fields))
    return try deliver(file, from: 0, observer)
  }

  private func deliver(
    _ file: OpenFile, from start: Int, _ observer: any StreamObserver
  ) throws(DataLoader.TransferError) -> Bool {
    var offset = start
    repeat {
      try checkCancellation()
      offset = try file.read(from: offset) { bytes in
        observer.didReceive(bytes)
        return !isCancelled.load(ordering: .relaxed) && !pauseState.withLock { $0.isWanted }
      }
    } while offset < file.version.size && !suspend((file, offset, observer))
    return offset == file.version.size
  }

  /// Suspends the transfer. Returns `false` if it was resumed or canceled in the meantime.
  private func suspend(_ rest: (OpenFile, Int, any StreamObserver)) -> Bool {
    pauseState.withLock { pause in
      guard pause.isWanted, !isCancelled.load(ordering: .relaxed) else { return false }
      pause.suspended = rest
      return true
    }
  }

  private func checkCancellation() throws(DataLoader.TransferError) {
    if isCancelled.load(ordering: .relaxed) { throw .cancelled }
  }

  /// Returns `true` if the request's preconditions say that the client already has the file (RFC 9110 §13.2.2).
  private func isKnown(_ version: OpenFile.Version) -> Bool {
    if let tags = request.value(forHTTPHeaderField: "If-None-Match") {
      return EntityTagCondition(value: Array(tags.utf8)[...])
        .matches(EntityTag(Array(version.entityTag.utf8)[...]))
    }
    guard let text = request.value(forHTTPHeaderField: "If-Modified-Since"),
      let date = HTTPDate.seconds(text, now: Timestamp(seconds: version.modified.seconds))
    else { return false }
    return version.modified.seconds <= date
  }
}

extension OpenFile.Version {
  /// The entity tag with its quotation marks.
  var entityTag: String {
    let parts = [size, modified.seconds, modified.nanoseconds].map { String($0, radix: 16) }
    return "\"\(parts[0])-\(parts[1]).\(parts[2])\""
  }

  var fields: HTTPFields {
    var fields = HTTPFields()
    fields.append("ETag", entityTag)
    fields.append("Last-Modified", HTTPDate.text(modified.seconds))
    return fields
  }
}
