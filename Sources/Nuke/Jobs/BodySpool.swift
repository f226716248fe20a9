import Foundation
import NukeBase
import NukeHTTP
import NukeStore

/// Writes a body to disk while it arrives. The download never waits for it.
///
/// The bytes stay in memory for decoding. At the end of the download, the bytes that are not on disk yet are written.
final class BodySpool: Sendable {
  /// The size at which a body is spooled, in bytes. A shorter body arrives sooner than a file is created for it.
  static let threshold = 256 << 10
  /// The number of bytes that arrive between two writes to the file.
  private static let step = 1 << 20

  /// The state of a body that is still arriving.
  struct Source {
    var data: Data
    /// The expected size, in bytes; `nil` if it is not known, so that no space can be reserved.
    var total: Int?
    /// The attributes to store with the partial body: its resume point.
    var attributes: [UInt8]
  }

  /// The end of the partial body.
  fileprivate enum End {
    /// The next download resumes it. The copy in memory is released once it has been written.
    case keep(Data, attributes: [UInt8], copy: UInt64?)
    /// The body is complete, or the partial body is to be removed.
    case gone
  }

  private struct State {
    var part: DiskPart?
    var isBusy = false
    var end: End?
    /// The size at which the next write starts, in bytes.
    var next = BodySpool.threshold
  }

  let cache: DataCache
  let key: PartialBodies.Key
  private let state = Lock(State())

  init(cache: DataCache, key: PartialBodies.Key) {
    self.cache = cache
    self.key = key
  }

  /// Reads the partial body of an earlier download on the calling thread.
  func find() -> PartialBodies.Part? {
    guard let part = cache.store.openPart(key.text) else { return nil }
    guard let point = ResumePoint(attributes: part.attributes, count: part.count),
      let body = part.read(capacity: GrowingData.believed(point.total ?? 0, having: point.count))
    else {
      part.discard()
      return nil
    }
    state.withLock { $0.part = part }
    return PartialBodies.Part(point: point, body: body)
  }

  /// Starts a write if enough bytes have arrived since the last one, `count` in total.
  func dataDidGrow(to count: Int, of job: DataJob) {
    let isDue = state.withLock { state in
      guard state.end == nil, !state.isBusy, count >= state.next else { return false }
      state.isBusy = true
      return true
    }
    if isDue { schedule(for: job) }
  }

  // MARK: The end

  /// Keeps the partial body of a download that ended early.
  ///
  /// - Parameter copy: the number of the copy in memory.
  func keep(_ part: PartialBodies.Part, copy: UInt64?, of job: DataJob) {
    end(.keep(part.body.data, attributes: part.point.attributes, copy: copy), of: job)
  }

  /// Removes the partial body from disk.
  func drop(of job: DataJob) {
    end(.gone, of: job)
  }

  private func end(_ end: End, of job: DataJob) {
    let isDue = state.withLock { state in
      guard state.end == nil else { return false }
      state.end = end
      if case .gone = end, state.part == nil { return false }
      return !exchange(&state.isBusy, with: true)
    }
    if isDue { schedule(for: job) }
  }

  /// Returns the partial body on disk and gives up its ownership. Called when the body is complete.
  func takePart() -> DiskPart? {
    state.withLock { state in
      guard state.end == nil else { return nil }
      state.end = .gone
      return state.part.take()
    }
  }

  /// Removes the partial body that an earlier download may have left on disk.
  func forget(of job: DataJob) {
    job.pipeline.spoolQueue.add { [cache, key] in cache.store.openPart(key.text)?.discard() }
  }

  // MARK: On a worker

  /// The work keeps the job alive while it waits.
  private func schedule(for job: DataJob) {
    job.pipeline.spoolQueue.add { [self] in work(for: job) }
  }

  private func work(for job: DataJob) {
    while true {
      let (part, end) = state.withLock { ($0.part, $0.end) }
      switch end {
      case .gone:
        part?.discard()
        return state.withLock { $0.part = nil }
      case .keep(let data, let attributes, let copy):
        keep(data, attributes, copy: copy, in: part, of: job)
        return state.withLock { $0.part = nil }
      case nil: write(behind: job, to: part)
      }
      // If the download has ended meanwhile, this thread handles that.
      let isOver = state.withLock { state in
        state.isBusy = state.end != nil && state.part != nil || state.end?.isKept == true
        return !state.isBusy
      }
      if isOver { break }
    }
    job.spoolIfDue()
  }

  private func write(behind job: DataJob, to known: DiskPart?) {
    guard let source = job.spoolSource else { return }
    let part = part(of: source, known, length: source.total)
    let isWritten = part?.write(source.data, total: source.total ?? 0) ?? false
    if !isWritten { part?.discard() }
    let unwanted = state.withLock { state -> DiskPart? in
      // A failed write is not retried.
      state.next = isWritten ? source.data.count + Self.step : .max
      // If the part was taken meanwhile, its new owner completes it.
      if case .gone = state.end { return part === known ? nil : part }
      state.part = isWritten ? part : nil
      return nil
    }
    unwanted?.discard()
  }

  private func keep(_ data: Data, _ attributes: [UInt8], copy: UInt64?, in known: DiskPart?, of job: DataJob) {
    let source = Source(data: data, total: nil, attributes: attributes)
    guard let part = part(of: source, known, length: data.count) else { return }
    if part.suspend(data) {
      if let copy { job.pipeline.partialBodies.remove(key, number: copy) }
    } else {
      part.discard()
    }
  }

  /// Returns the part on disk if it belongs to the same body, or else a new one; `nil` if its length is not known.
  private func part(of source: Source, _ known: DiskPart?, length: Int?) -> DiskPart? {
    if let known {
      if known.isPart(of: source) { return known }
      known.discard()
    }
    guard let length else { return nil }
    if let part = cache.store.openPart(key.text) {
      if part.isPart(of: source) { return part }
      part.discard()
    }
    return cache.store.makePart(key.text, length: length, attributes: source.attributes)
  }
}

extension BodySpool.End {
  fileprivate var isKept: Bool { if case .keep = self { true } else { false } }
}

extension DiskPart {
  fileprivate func isPart(of source: BodySpool.Source) -> Bool {
    attributes == source.attributes && begins(source.data)
  }
}
