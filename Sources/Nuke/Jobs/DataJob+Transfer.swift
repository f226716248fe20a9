import Foundation
import FoundationNetworking
import NukeHTTP
import NukeStore

/// Sends requests to a loader and handles its responses.
extension DataJob {
  func loadFromNetwork() {
    facts.origin = .network
    guard let urlRequest = request.urlRequest else { return finish(.failure(.imageRequestMissing)) }
    // Delegates may contact servers to prepare a request, and nothing may be sent.
    guard let delegate = pipeline.delegate, !request.isCacheOnly else {
      return send(urlRequest)
    }
    let preparation = ClosureTask(
      Task {
        let prepared: Result<URLRequest, any Error>
        do {
          prepared = .success(
            try await interval.around {
              try await delegate.willLoadData(for: request, urlRequest: urlRequest, pipeline: pipeline)
            })
        } catch {
          prepared = .failure(error)
        }
        pipeline.unlimitedQueue.add { [self] in send(prepared) }
      })
    if download.withLock({ $0.holdUntilSent(preparation) }) { preparation.cancel() }
  }

  private func send(_ prepared: Result<URLRequest, any Error>) {
    switch prepared {
    case .success(let urlRequest):
      download.withLock { $0.sent = urlRequest }
      send(urlRequest)
    case .failure(let error): finish(.failure(.dataLoadingFailed(error: error)))
    }
  }

  private func send(_ urlRequest: URLRequest) {
    guard isLoading else { return }
    if let validation, let conditional = validation.request(asking: urlRequest) {
      guard update({ $0.prepare(.condition) }) else { return }
      return transfer(conditional, .condition)
    }
    // A cache-only request never resumes.
    guard !request.isCacheOnly, let part = partToResume(urlRequest) else {
      return transfer(urlRequest, .whole)
    }
    guard update({ $0.prepare(.rest, resuming: part) }) else { return keep(part) }
    transfer(part.point.request(resuming: urlRequest), .rest)
  }

  private func transfer(_ urlRequest: URLRequest, _ attempt: Download.Attempt) {
    refusedStatus = nil
    if evaluator != nil { sentAt = pipeline.configuration.now() }
    var urlRequest = pipeline.withCachePolicy(
      urlRequest, of: request, evaluator?.requirement, isValidation: validation != nil)
    interval?.inject(into: &urlRequest)
    let (loader, streaming) = pipeline.loaders(for: request)
    // The load may have been canceled while the tracer or the delegate was called.
    guard isLoading else { return }
    pipeline.counters.countDownload()
    if let streaming {
      let observer: any StreamObserver = attempt == .whole ? self : AttemptObserver(job: self, attempt: attempt)
      let transfer = streaming.stream(urlRequest, limit: maximumSize, observer: observer)
      hold(transfer, attempt)
      // After `hold`: a change of priority in between is applied here or by `reprioritize`.
      return transfer.setPriority(currentPriority)
    }
    hold(
      loader.loadData(
        with: urlRequest,
        didReceiveData: { [self] chunk, response in receive(chunk, response, from: attempt) },
        completion: { [self] error in complete(error, from: attempt) }), attempt)
  }

  /// Keeps the transfer, or cancels it if the job has been stopped meanwhile.
  private func hold(_ transfer: any Cancellable, _ attempt: Download.Attempt) {
    if update({ $0.hold(transfer, of: attempt) }) { transfer.cancel() }
  }

  // MARK: Answers

  private var maximumSize: Int? { pipeline.configuration.maximumResponseDataSize }

  fileprivate func receive(_ head: ResponseHead, from attempt: Download.Attempt) {
    guard isLoading else { return }
    if let caching = head.caching {
      facts.note(caching)
      self.caching = caching
    }
    perform(download.withLock { $0.receive(head, from: attempt, limit: maximumSize) })
  }

  fileprivate func refuse(_ head: ResponseHead, from attempt: Download.Attempt) {
    guard isLoading else { return }
    if attempt == .condition, head.status == 304 { receive(head, from: attempt) }
    refusedStatus = head.status
    facts.retryAfter = RetryAfter.seconds(in: head, now: Int(Date().timeIntervalSince1970))
  }

  private func receive(_ chunk: Data, _ response: URLResponse, from attempt: Download.Attempt) {
    guard !isStopped else { return }
    if attempt == .rest, download.withLock({ $0.awaitsAnswer }) {
      receive(ResponseHead(response, url: request.url ?? URL(fileURLWithPath: "/")), from: attempt)
    }
    perform(
      download.withLock { $0.receive(chunk, response, of: request.url, from: attempt, limit: maximumSize) })
  }

  fileprivate func receive(_ bytes: UnsafeRawBufferPointer, from attempt: Download.Attempt) {
    guard !isStopped else { return }
    perform(
      download.withLock { download in
        download.receive(bytes.count, from: attempt, limit: maximumSize) { $0.append(bytes, expected: $1) }
      })
  }

  fileprivate func complete(_ error: (any Error)?, from attempt: Download.Attempt) {
    // The program's `validate` closure may refuse a 304, since it does not know that the request was conditional.
    let error = attempt == .condition && refusedStatus == 304 ? nil : error
    perform(update { $0.complete(error, from: attempt, of: { request.urlRequest }) })
  }

  func perform(_ step: Download.Step) {
    switch step {
    case .nothing: break
    case .progress(let count, let expected, let spool):
      pipeline.report(.init(completed: Int64(count), total: expected), of: self)
      previews?.dataDidGrow()
      spool?.dataDidGrow(to: count, of: self)
    case .exceedsLimit(let transfer):
      // Finished first: a loader may report an error of its own from within `cancel()`.
      finish(.failure(.dataDownloadExceededMaximumSize))
      transfer?.cancel()
    case .startOver(let transfer):
      transfer?.cancel()
      previews?.startOver()
      pipeline.unlimitedQueue.add { [self] in startOver() }
    case .succeeded(let loaded):
      end(loaded.data.isEmpty ? .failure(Self.emptiness(of: loaded.response)) : .success(loaded), begun: .loading)
    case .notModified(let head): pipeline.unlimitedQueue.add { [self] in handleNotModified(head) }
    case .failed(let error, let part):
      if case .bodyTooLarge? = error.transferError {
        return end(.failure(.dataDownloadExceededMaximumSize), begun: .loading)
      }
      keep(part)
      if isRefusal(error) { return end(.failure(.dataMissingInCache), begun: .loading) }
      if let stale = fallback(after: error) { return end(.success(stale), begun: .loading) }
      end(.failure(.dataLoadingFailed(error: error.forPrograms(url: request.url))), begun: .loading)
    }
  }

  /// Returns the error for an empty body.
  private static func emptiness(of response: LazyURLResponse?) -> ImagePipeline.Error {
    guard let head = response?.head, head.status == 304 else { return .dataIsEmpty }
    return .dataLoadingFailed(error: NotModified(head: head))
  }

  /// Requests the whole body, on a worker.
  private func startOver() {
    if isLoading, let urlRequest = download.withLock({ $0.sent }) ?? request.urlRequest { transfer(urlRequest, .whole) }
  }

  /// Observes a range request or a conditional request.
  private final class AttemptObserver: StreamObserver {
    private let job: DataJob
    private let attempt: Download.Attempt

    init(job: DataJob, attempt: Download.Attempt) {
      self.job = job
      self.attempt = attempt
    }

    func didReceive(_ head: ResponseHead) { job.receive(head, from: attempt) }
    func didRefuse(_ head: ResponseHead) { job.refuse(head, from: attempt) }
    func didReceive(_ bytes: UnsafeRawBufferPointer) { job.receive(bytes, from: attempt) }
    func didFinish(_ error: (any Error)?) { job.complete(error, from: attempt) }
  }
}

extension DataJob: StreamObserver {
  func didReceive(_ head: ResponseHead) { receive(head, from: .whole) }
  func didRefuse(_ head: ResponseHead) { refuse(head, from: .whole) }
  func didReceive(_ bytes: UnsafeRawBufferPointer) { receive(bytes, from: .whole) }
  func didFinish(_ error: (any Error)?) { complete(error, from: .whole) }
}

/// Keeps the partial body of a download that ended early, which the next download resumes.
///
/// It is kept in the request's ``DataCache`` if the whole body would be stored there too. It is in memory until it has
/// been written, and if there is no such cache.
extension DataJob {
  /// Returns the partial body to resume; `nil` if the whole body is to be requested.
  private func partToResume(_ urlRequest: URLRequest) -> PartialBodies.Part? {
    let isEnabled = pipeline.configuration.isResumableDataEnabled
    let cache = diskCacheOfOriginal
    // The key is not made if there is nothing to look up.
    guard cache != nil || isEnabled && !pipeline.partialBodies.isEmpty, let key = PartialBodies.Key(urlRequest) else {
      return nil
    }
    let spool = cache.map { BodySpool(cache: $0, key: key) }
    if let spool { download.withLock { $0.spool = spool } }
    guard isEnabled else { return nil }
    if let part = pipeline.partialBodies.take(key) { return part }
    return request.options.allowDiskReads ? spool?.find() : nil
  }

  /// The cache that the body will be stored in.
  private var diskCacheOfOriginal: DataCache? {
    guard case .into(let cache) = cacheOfOriginal else { return nil }
    return cache as? DataCache
  }

  /// Keeps the bytes received for the next download.
  func keep(_ part: PartialBodies.Part?) {
    let (spool, sent) = download.withLock { ($0.spool, $0.sent) }
    guard let part, pipeline.configuration.isResumableDataEnabled, let urlRequest = sent ?? request.urlRequest,
      let key = PartialBodies.Key(urlRequest)
    else {
      spool?.drop(of: self)
      return
    }
    let copy = pipeline.partialBodies.keep(part, for: key)
    spool?.keep(part, copy: copy, of: self)
  }

  // MARK: For the spool

  var spoolSource: BodySpool.Source? {
    download.withLock { $0.spoolSource { request.urlRequest } }
  }

  /// Spools the bytes that arrived while the spool was busy.
  func spoolIfDue() {
    let (count, spool) = download.withLock { ($0.isLoading ? $0.body.count : 0, $0.spool) }
    spool?.dataDidGrow(to: count, of: self)
  }
}
