import Dispatch
import Foundation
import FoundationNetworking
import Nuke
import NukeHTTPCaching
import NukeImaging
import Synchronization

/// One file, in the shape of an answer of HTTP's.
final class LocalSourceTransfer: Transfer {
  private let request: URLRequest
  private let roots: [String: String]
  private let limit: Int?
  /// Nil once it is being told.
  private let observer: Lock<(any StreamObserver)?>
  private let isCancelled = Atomic<Bool>(false)

  init(_ request: URLRequest, roots: [String: String], limit: Int?, observer: any StreamObserver) {
    self.request = request
    self.roots = roots
    self.limit = limit
    self.observer = Lock(observer)
  }

  func start() {
    DispatchQueue.global(qos: .userInitiated).async { self.run() }
  }

  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  // There is nobody to hold up: the disk waits by itself.
  func pause() {}
  func resume() {}

  private func run() {
    guard let observer = observer.withLock({ $0.take() }) else { return }
    do throws(DataLoader.Error) {
      try answer(observer)
      observer.didFinish(nil)
    } catch {
      observer.didFinish(error)
    }
  }

  private func answer(_ observer: any StreamObserver) throws(DataLoader.Error) {
    try checkCancellation()
    guard let url = request.url else { throw .malformedURL("") }
    let path = try LocalSourcePath(url)
    guard let root = roots[path.root] else { throw .fileNotFound(path: path.description) }
    let file = try OpenFile(path, in: root)
    let version = file.version
    guard !isKnown(version) else {
      return observer.didReceive(ResponseHead(url: url, status: 304, expectedLength: nil, fields: version.fields))
    }
    if let limit, version.size > limit { throw .bodyTooLarge(limit: limit) }
    var fields = version.fields
    fields.append("Content-Length", "\(version.size)")
    observer.didReceive(ResponseHead(url: url, status: 200, expectedLength: version.size, fields: fields))
    try file.read { bytes in
      guard !isCancelled.load(ordering: .relaxed) else { return false }
      observer.didReceive(bytes)
      return true
    }
    try checkCancellation()
  }

  private func checkCancellation() throws(DataLoader.Error) {
    if isCancelled.load(ordering: .relaxed) { throw .cancelled }
  }

  /// Whether the request's conditions say that whoever asks has it already (RFC 9110 §13.2.2).
  private func isKnown(_ version: OpenFile.Version) -> Bool {
    if let tags = request.value(forHTTPHeaderField: "If-None-Match") {
      return EntityTagCondition(value: Array(tags.utf8)[...])
        .matches(EntityTag(Array(version.entityTag.utf8)[...]))
    }
    guard let text = request.value(forHTTPHeaderField: "If-Modified-Since"),
      let date = HTTPDate.seconds(text, now: Timestamp(seconds: version.seconds))
    else { return false }
    return version.seconds <= date
  }
}

extension OpenFile.Version {
  /// With its quotation marks.
  var entityTag: String {
    "\"\(String(size, radix: 16))-\(String(seconds, radix: 16)).\(String(nanoseconds, radix: 16))\""
  }

  var fields: HTTPFields {
    var fields = HTTPFields()
    fields.append("ETag", entityTag)
    fields.append("Last-Modified", HTTPDate.text(seconds))
    return fields
  }
}
