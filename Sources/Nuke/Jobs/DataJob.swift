import Foundation
import FoundationNetworking
import NukeImaging
import Synchronization

/// The bytes of an original. The one place that knows where bytes come from.
final class DataJob: Job, @unchecked Sendable {
  private let request: ImageRequest
  private(set) var result: Result<(data: Data, response: URLResponse?), ImagePipeline.Error>!

  // Touched by the loader's callbacks, which come one at a time.
  private var data = Data()
  private var response: URLResponse?
  private var startedAt: UInt64 = 0

  private let queuedAt = Clock.now
  private let phase = Atomic<Phase>(.waiting)
  private let transfer = AtomicLazyReference<Transfer>()
  private let isTooLarge = Atomic<Bool>(false)

  private enum Phase: UInt8, AtomicRepresentable {
    case waiting, loading, ended
  }

  /// The running transfer, cancelled at most once.
  private final class Transfer: Sendable {
    private let cancellable: any Cancellable
    private let isCancelled = Atomic<Bool>(false)

    init(_ cancellable: any Cancellable) { self.cancellable = cancellable }

    func cancel() {
      if !isCancelled.exchange(true, ordering: .acquiringAndReleasing) { cancellable.cancel() }
    }
  }

  init(id: ID, request: ImageRequest, pipeline: ImagePipeline) {
    self.request = request
    isLocal =
      pipeline.configuration.isLocalResourcesSupportEnabled && request.url.map(LocalResource.isLocal) ?? false
    super.init(id: id, pipeline: pipeline)
  }

  private let isLocal: Bool

  /// Local sources do not wait behind the network, nor does what asks not to.
  override var queue: TaskQueue? {
    isLocal || request.options.contains(.skipDataLoadingQueue)
      ? pipeline.unlimitedQueue : pipeline.configuration.dataLoadingQueue
  }

  override func start(_ turn: inout Turn) { queue?.add(self) }

  override func stop() {
    super.stop()
    // Ended first, so that a loader which answers from within `cancel()` is not listened to.
    end()
    transfer.load()?.cancel()
  }

  override func run() -> Outcome {
    guard
      phase.compareExchange(expected: .waiting, desired: .loading, ordering: .acquiringAndReleasing).exchanged
    else { return .done }
    startedAt = Clock.now
    facts.queued += Clock.seconds(from: queuedAt, to: startedAt)
    if isLocal {
      readLocal()
      return .done
    }
    switch request.storage.resource {
    case .data(_, let closure): load(closure)
    case .url, .urlRequest: loadFromNetwork()
    case .image: preconditionFailure("a decoded picture has no data")
    }
    return holdsSlot ? .goesOn : .done
  }

  // MARK: Sources

  private func readLocal() {
    guard let url = request.url else { return }
    facts.origin = url.scheme?.lowercased() == "data" ? .inline : .file
    do {
      let (data, response) = try LocalResource.load(url, limit: maximumSize)
      finish(data.isEmpty ? .failure(.dataIsEmpty) : .success((data, response)))
    } catch DataLoader.Error.bodyTooLarge {
      finish(.failure(.dataDownloadExceededMaximumSize))
    } catch {
      finish(.failure(.dataLoadingFailed(error: error)))
    }
  }

  private func load(_ closure: @escaping @Sendable () async throws -> Data) {
    facts.origin = .closure
    let task = Task {
      do {
        let data = try await closure()
        finish(data.isEmpty ? .failure(.dataIsEmpty) : .success((data, nil)))
      } catch {
        finish(.failure(.dataLoadingFailed(error: error)))
      }
    }
    hold(ClosureTask(task))
  }

  private func loadFromNetwork() {
    facts.origin = .network
    pipeline.counters.countDownload()
    guard let urlRequest = request.urlRequest else { return finish(.failure(.imageRequestMissing)) }
    if let loader = pipeline.streamingLoader {
      hold(loader.stream(urlRequest, limit: maximumSize, observer: self))
    } else {
      hold(
        pipeline.configuration.dataLoader.loadData(
          with: urlRequest,
          didReceiveData: { [self] chunk, response in receive(chunk, response) },
          completion: { [self] error in complete(error) }))
    }
  }

  /// Keeps the transfer so that it can be cancelled, which may have been wished meanwhile.
  private func hold(_ cancellable: any Cancellable) {
    guard phase.load(ordering: .acquiring) == .loading || isUnwanted else { return }
    let held = transfer.storeIfNil(Transfer(cancellable))
    if isUnwanted { held.cancel() }
  }

  /// Whether the transfer is to end, though the loader may not have given it yet.
  private var isUnwanted: Bool { isStopped || isTooLarge.load(ordering: .acquiring) }

  // MARK: What the loader says

  private var maximumSize: Int? { pipeline.configuration.maximumResponseDataSize }

  private func receive(_ chunk: Data, _ response: URLResponse) {
    guard isLoading else { return }
    let length = response.expectedContentLength
    if let maximumSize, data.count + chunk.count > maximumSize || length > Int64(maximumSize) {
      isTooLarge.store(true, ordering: .releasing)
      // Finished first, so that a loader which answers from within `cancel()` does not give another reason.
      finish(.failure(.dataDownloadExceededMaximumSize))
      transfer.load()?.cancel()
      return
    }
    if self.response == nil { self.response = response }
    if data.isEmpty {
      data = chunk
    } else {
      makeRoom(expected: Int(clamping: length))
      data.append(chunk)
    }
    reportProgress(expected: length)
  }

  private var isLoading: Bool { phase.load(ordering: .acquiring) == .loading && !isStopped }

  /// Memory ahead of what has come, but not for all of a length that may be a lie.
  private func makeRoom(expected: Int) {
    if data.count < expected { data.reserveCapacity(min(expected, data.count * 4 + (1 << 20))) }
  }

  private func reportProgress(expected: Int64) {
    pipeline.report(.init(completed: Int64(data.count), total: max(expected, 0)), of: self)
  }

  private func complete(_ error: (any Error)?) {
    if case .bodyTooLarge? = error as? DataLoader.Error { return finish(.failure(.dataDownloadExceededMaximumSize)) }
    if let error { return finish(.failure(.dataLoadingFailed(error: error))) }
    guard !data.isEmpty else { return finish(.failure(.dataIsEmpty)) }
    finish(.success((data, response)))
  }

  // MARK: Ending

  /// The first result counts; a loader that answers twice, or after it was cancelled, changes nothing.
  private func finish(_ result: Result<(data: Data, response: URLResponse?), ImagePipeline.Error>) {
    guard
      phase.compareExchange(expected: .loading, desired: .ended, ordering: .acquiringAndReleasing).exchanged
    else { return }
    self.result = result
    facts.loading += Clock.seconds(from: startedAt, to: Clock.now)
    if case .success(let success) = result { facts.byteCount = success.data.count }
    if holdsSlot { pipeline.configuration.dataLoadingQueue.releaseSlot() }
    data = Data()
    // Decoders and caches of the user's are not to hold up the thread of a loader, which serves all transfers.
    if WorkerPool.isWorker { report() } else { pipeline.unlimitedQueue.add(Report(job: self)) }
  }

  private func report() { Turn.run(on: pipeline) { $0.finish(self) } }

  /// Carries a result from a loader's thread to a worker.
  private final class Report: QueuedWork, @unchecked Sendable {
    private let job: DataJob
    init(job: DataJob) { self.job = job }

    override func run() -> Outcome {
      job.report()
      return .done
    }
  }

  private func end() {
    let old = phase.exchange(.ended, ordering: .acquiringAndReleasing)
    if old == .loading, holdsSlot { pipeline.configuration.dataLoadingQueue.releaseSlot() }
  }

  private var holdsSlot: Bool { !isLocal && !request.options.contains(.skipDataLoadingQueue) }
}

extension DataJob: StreamObserver {
  func didReceive(_ head: ResponseHead) {
    guard isLoading else { return }
    response = head.urlResponse()
  }

  func didReceive(_ bytes: UnsafeRawBufferPointer) {
    guard isLoading else { return }
    let expected = response?.expectedContentLength ?? -1
    makeRoom(expected: Int(clamping: expected))
    data.append(contentsOf: bytes)
    reportProgress(expected: expected)
  }

  func didFinish(_ error: (any Error)?) { complete(error) }
}

/// A closure's Swift task as something that can be cancelled.
final class ClosureTask: Cancellable {
  private let task: Task<Void, Never>
  init(_ task: Task<Void, Never>) { self.task = task }
  func cancel() { task.cancel() }
}
