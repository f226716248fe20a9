import Foundation
import FoundationNetworking
import Nuke
import NukeHTTPCaching

/// The route: each line of ``RenditionService/make(_:_:)`` names a stage.
extension RenditionService {
  /// The request that a flight serves.
  struct Order: Sendable {
    let key: RenditionKey
    let request: RenditionRequest
    let renderer: any RenditionRendering
    /// `true` if this revalidates a stale rendition after it was sent.
    let isRenewal: Bool
    /// `true` if a store says that the rendition must not be shared.
    var isUnshared = false
    /// The last purge of the source when the work began.
    var purge: PurgeMark?

    init(_ request: RenditionRequest, _ renderer: any RenditionRendering, isRenewal: Bool = false) {
      key = RenditionKey(request, renderer: renderer.identifier)
      self.request = request
      self.renderer = renderer
      self.isRenewal = isRenewal
    }

    /// Identifies the source; see ``RenditionRequest/sourceName``.
    var source: String { request.sourceName }
  }

  struct Answer: Sendable {
    let record: RenditionRecord
    let origin: Rendition.Origin
    /// `true` if the source must be revalidated in the background.
    var isStale = false
    var isDegraded = false
  }

  /// Returns the stored file, the rendered one, or a fallback.
  func answer(_ order: Order) async throws(ServingError) -> Answer {
    var order = order
    var known = memory.record(for: order.request)
    if known?.isCurrent(after: order.purge) == false { known = nil }
    if let answer = answer(of: known, .memory, order) { return answer }
    if !stores.isEmpty {
      let (key, purge) = (order.key, order.purge)
      let stored = await recorder.measure(.store) { () async throws(Never) in
        await stores.record(for: key, after: purge)
      }
      if let stored { learnFailure(of: stored, order) }
      if let stored, !stored.isShared {
        order.isUnshared = !stored.hasOnlyFailure && stored.freshness.state(at: clock.now()) == .fresh
      } else if let stored, known.map({ $0.freshness.checkedAt < stored.freshness.checkedAt }) ?? true {
        known = stored
        keepInMemory(stored, order)
      }
      if let answer = answer(of: known, .store, order) { return answer }
    }
    do throws(ServingError) {
      return try await make(order, known)
    } catch {
      return try fallback(known, order, for: error)
    }
  }

  /// Returns the stored file if it may be sent without validation.
  private func answer(of record: RenditionRecord?, _ origin: Rendition.Origin, _ order: Order) -> Answer? {
    guard let record else { return nil }
    switch record.freshness.state(at: clock.now()) {
    case .fresh: return Answer(record: record, origin: origin)
    case .renewable: return order.isRenewal ? nil : Answer(record: record, origin: origin, isStale: true)
    case .stale: return nil
    }
  }

  private func fallback(
    _ known: RenditionRecord?, _ order: Order, for error: ServingError
  ) throws(ServingError) -> Answer {
    switch error {
    case .sourceNotFound, .notAnImage, .tooLarge, .sourceNotAllowed:
      if known != nil { forget(order) }
      throw error
    case .sourceFailed, .sourceTimedOut, .overloaded:
      guard let known, known.freshness.allowsStaleIfError(at: clock.now()) else { throw error }
      return Answer(record: known, origin: .store, isDegraded: true)
    default: throw error
    }
  }

  // MARK: The route

  private func make(_ order: Order, _ known: RenditionRecord?) async throws(ServingError) -> Answer {
    if let error = rememberedFailure(order) {
      recorder.count(\.rememberedFailures)
      throw error
    }
    let visit = try admission.arrive()
    defer { visit.leave() }
    let lease: HeldLease?
    switch try await waitForLease(order, known) {
    case .granted(let granted): lease = granted
    case .answered(let answer): return answer
    }
    do throws(ServingError) {
      return try await make(order, known, visit, lease)
    } catch {
      shareFailure(order, known, lease)
      throw error
    }
  }

  private func make(
    _ order: Order, _ known: RenditionRecord?, _ visit: Admission.Visit, _ lease: HeldLease?
  ) async throws(ServingError) -> Answer {
    var source: SourceFile
    switch try await ask(order, known) {
    case .unchanged(let known, let check): return renewed(known, check, order, lease)
    case .file(let file): source = file
    }
    let watermark = try await watermark(order)
    if let watermark { source = SourceFile(data: source.data, check: source.check.restricted(by: watermark.check)) }
    // Other nodes need not wait until the file is rendered, since they cannot use it.
    if source.check.freshness.cacheability != .shared { noteUnshared(source.check, order, lease) }
    try visit.hold(sourceBytes: source.data.count + (watermark?.data.count ?? 0))
    let file = try await render(order, source, watermark, visit)
    visit.leave()
    return await finished(file, source, order, lease)
  }

  /// Returns the error of the source or the rendition that this node remembers; `nil` if there is none.
  func rememberedFailure(_ order: Order) -> ServingError? {
    let now = clock.now()
    return failures.error(of: order.source, after: order.purge, now: now)
      ?? failures.error(of: order.key.name, after: order.purge, now: now)
  }

  private enum SourceAnswer {
    case file(SourceFile)
    /// The source is still the version that the rendition was rendered from.
    case unchanged(RenditionRecord, SourceCheck)
  }

  /// Loads the source, or validates it if a rendition is known.
  private func ask(_ order: Order, _ known: RenditionRecord?) async throws(ServingError) -> SourceAnswer {
    if let known, let check = checks.check(of: order.source, for: known, now: clock.now()) {
      return .unchanged(known, check)
    }
    let askedAt = clock.now()
    switch try await load(order, known) {
    case .data(let data, let head):
      recorder.count(\.sources)
      recorder.count(\.sourceBytes, data.count)
      let check = SourceCheck(SourceMark(data), head, askedAt: askedAt, now: clock.now(), rules: rules)
      checks.note(check, of: order.source)
      guard let known, known.source == check.mark else { return .file(SourceFile(data: data, check: check)) }
      return .unchanged(known, check)
    case .notModified(let known, let head):
      recorder.count(\.sourcesUnchanged)
      let check = SourceCheck(notModified: head, known, askedAt: askedAt, now: clock.now(), rules: rules)
      checks.note(check, of: order.source)
      return .unchanged(known, check)
    }
  }

  private enum LoadedSource {
    case data(Data, ResponseHead?)
    case notModified(RenditionRecord, ResponseHead)
  }

  private func load(_ order: Order, _ known: RenditionRecord?) async throws(ServingError) -> LoadedSource {
    var urlRequest = urlRequest(for: order.request.source, after: known == nil ? order.purge : nil)
    for (name, value) in order.request.sourceFields { urlRequest.setValue(value, forHTTPHeaderField: name) }
    known?.sourceFields.addConditions(to: &urlRequest)
    return try await load(urlRequest, named: order.source, after: order.purge, order, known)
  }

  /// Returns a request that is not answered with stored bytes from before a purge.
  private func urlRequest(for source: URL, after purge: PurgeMark?) -> URLRequest {
    var request = URLRequest(url: source)
    if let purge {
      // A download that began before the purge may still be stored after it, so later loads are validated.
      request.cachePolicy =
        purges.beginsLoading(source, after: purge) ? .reloadIgnoringLocalCacheData : .reloadRevalidatingCacheData
    }
    return request
  }

  /// Loads a source or a watermark.
  ///
  /// - Parameters:
  ///   - name: identifies it among the remembered failures.
  ///   - purge: its last purge.
  ///   - known: the rendition that the request validates.
  private func load(
    _ urlRequest: URLRequest, named name: String, after purge: PurgeMark?, _ order: Order, _ known: RenditionRecord?
  ) async throws(ServingError) -> LoadedSource {
    var urlRequest = urlRequest
    if known == nil, order.request.options.cacheBuster != nil, urlRequest.cachePolicy == .useProtocolCachePolicy {
      // The copy in the cache of sources may be of the version before.
      urlRequest.cachePolicy = .reloadRevalidatingCacheData
    }
    if let trace = TraceParent.current { urlRequest.setValue(trace.text, forHTTPHeaderField: TraceParent.field) }
    let request = ImageRequest(urlRequest: urlRequest, priority: order.isRenewal ? .low : .normal)
    return try await recorder.measure(.source) { () async throws(ServingError) in
      let task = pipeline.startTask(with: request, kind: .data)
      defer { note(task.facts) }
      do throws(ImagePipeline.Error) {
        let response = try await task.response
        return .data(
          response.container.data ?? Data(),
          response.urlResponse.map { ResponseHead($0, url: urlRequest.url ?? order.request.source) })
      } catch {
        if let known, case .dataLoadingFailed(let reason) = error, let answer = reason as? NotModified {
          return .notModified(known, answer.head)
        }
        let failure = ServingError(loading: error)
        failures.note(failure, of: name, after: purge, isOfSource: error.isOfSource, now: clock.now())
        throw failure
      }
    }
  }

  /// Returns the watermark that the options name, from memory if it is fresh; `nil` if they name none. It is loaded like
  /// a source, but without the fields of the client.
  private func watermark(_ order: Order) async throws(ServingError) -> SourceFile? {
    let options = order.request.options
    guard order.request.output == .image, options.watermark != nil, let text = options.watermarkSource
    else { return nil }
    guard let url = URL(escaping: text) else { throw .invalidOption("watermark_url", "it is not a URL") }
    let purge = await lastPurge(of: url)
    if options.cacheBuster == nil, let file = watermarks.file(at: text, after: purge, now: clock.now()) { return file }
    do throws(ServingError) {
      let askedAt = clock.now()
      if let error = failures.error(of: text, after: purge, now: askedAt) {
        recorder.count(\.rememberedFailures)
        throw error
      }
      let loaded = try await load(urlRequest(for: url, after: purge), named: text, after: purge, order, nil)
      guard case .data(let data, let head) = loaded else {
        throw .sourceFailed("Its server responded with 304 to a request without a condition.")
      }
      let file = SourceFile(
        data: data, check: SourceCheck(SourceMark(data), head, askedAt: askedAt, now: clock.now(), rules: rules))
      watermarks.keep(file, at: text, after: purge)
      return file
    } catch {
      throw error.ofWatermark
    }
  }

  /// Records the durations of stages. Leaves out stages without a duration, such as a download that another request
  /// started.
  private func note(_ facts: ImageTask.Facts) {
    if facts.queued > 0 { recorder.note(.queued, seconds: facts.queued, ago: facts.loading) }
    if facts.loading > 0 { recorder.note(.load, seconds: facts.loading) }
  }

  private func render(
    _ order: Order, _ source: SourceFile, _ watermark: SourceFile?, _ visit: Admission.Visit
  ) async throws(ServingError) -> RenderedFile {
    // The decode budget is that of this node. All else would fail on other nodes, too.
    var isOfSource = true
    do throws(ServingError) {
      let plan = try await observed { () async throws(ServingError) in
        try await order.renderer.plan(order.request, source: source.data, watermark: watermark?.data)
      }
      isOfSource = false
      try await recorder.measure(.wait) { () async throws(ServingError) in
        try await visit.room(bytes: plan.decodedBytes)
      }
      isOfSource = true
      return try await recorder.measure(.render) { () async throws(ServingError) in try await observed(plan.render) }
    } catch {
      failures.note(error, of: order.key.name, after: order.purge, isOfSource: isOfSource, now: clock.now())
      throw error
    }
  }

  /// Records the durations of the stages that `work` reports.
  private func observed<Value>(
    _ work: () async throws(ServingError) -> Value
  ) async throws(ServingError) -> Value {
    let stages = RenderStages { [recorder] stage, seconds, ago in recorder.note(stage, seconds: seconds, ago: ago) }
    return try await RenderStages.$current.withValue(stages) { await Result(of: work) }.get()
  }

  // MARK: The result

  private func finished(
    _ file: RenderedFile, _ source: SourceFile, _ order: Order, _ lease: HeldLease?
  ) async -> Answer {
    recorder.count(\.renditions)
    recorder.count(\.renditionBytes, file.data.count)
    var rendition = Rendition(
      data: file.data, contentType: file.contentType,
      entityTag: await pipeline.unlimitedQueue.run { "\"" + Digest.text(of: file.data) + "\"" },
      lastModified: source.check.lastModified)
    rendition.sizes = file.sizes
    var record = RenditionRecord(
      rendition, freshness: source.check.freshness, source: source.check.mark, sourceFields: source.check.fields)
    record.purge = order.purge
    keep(record, order, lease)
    return Answer(record: record, origin: .made)
  }

  private func renewed(_ known: RenditionRecord, _ check: SourceCheck, _ order: Order, _ lease: HeldLease?) -> Answer {
    recorder.count(\.renewals)
    let record = known.renewed(by: check)
    if !record.isShared { noteUnshared(check, order, lease) }
    keep(record, order, lease)
    return Answer(record: record, origin: .store)
  }

  private func keep(_ record: RenditionRecord, _ order: Order, _ lease: HeldLease?) {
    guard record.isShared else { return memory.remove(order.request) }
    keepInMemory(record, order)
    guard !stores.isEmpty else { return }
    afterwards { [self] in
      await recorder.measure(.write) { () async throws(Never) in await stores.store(record, for: order.key) }
      // Store first, then release: other nodes look in the store as soon as they acquire the lease.
      lease?.release()
    }
  }

  /// Replaces what the stores have by the information that the rendition must not be shared, and releases the lease.
  private func noteUnshared(_ check: SourceCheck, _ order: Order, _ lease: HeldLease?) {
    guard !stores.isEmpty else { return }
    var record = RenditionRecord.unshared(check, now: clock.now())
    record.purge = order.purge
    afterwards { [self, record] in
      await stores.store(record, for: order.key)
      lease?.release()
    }
  }

  func keepInMemory(_ record: RenditionRecord, _ order: Order) {
    guard order.renderer.identifier == renderer.identifier else { return }
    memory.keep(record, for: order.request)
    variants.note(order.request)
  }

  private func forget(_ order: Order) {
    memory.remove(order.request)
    guard !stores.isEmpty else { return }
    // The shared store has, or gets, a shared failure in place of the rendition.
    let now = clock.now()
    let isShared =
      leasing != nil && !order.isUnshared
      && [order.source, order.key.name].contains { failures.isShared($0, after: order.purge, now: now) }
    afterwards { [self] in
      if isShared { await stores.removeUnshared(order.key) } else { await stores.remove(order.key) }
    }
  }

  /// Runs work after the response is sent. ``RenditionService/shutdown(gracePeriod:)`` waits for it.
  func afterwards(_ body: @escaping @Sendable () async -> Void) {
    pending.enter()
    // Not a detached task, so that the duration is recorded in the request that caused the work.
    Task { [pending] in
      await body()
      pending.leave()
    }
  }
}
