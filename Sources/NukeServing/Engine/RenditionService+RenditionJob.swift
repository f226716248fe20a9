import Foundation
import FoundationNetworking
import Nuke
import NukeHTTPCaching

/// Runs the job of a flight: looks in memory and in the stores, waits for admission and for the lease, loads the
/// source, renders the file, and stores it.
extension RenditionService {
  /// The work of a flight: a request, and the renderer for it.
  struct RenditionJob: Sendable {
    let key: RenditionKey
    let request: RenditionRequest
    let renderer: any RenderBackend
    /// `true` if this revalidates a stale rendition after it was sent.
    let isRenewal: Bool
    /// `true` if a store says that the rendition must not be shared.
    var isUnshared = false
    /// The last purge of the source when the work began.
    var purge: PurgeID?
    /// The version of the source when the work began.
    var version = CurrentVersion.unknown

    init(_ request: RenditionRequest, _ renderer: any RenderBackend, isRenewal: Bool = false) {
      key = RenditionKey(request, renderer: renderer.identifier)
      self.request = request
      self.renderer = renderer
      self.isRenewal = isRenewal
    }

    /// Identifies the source; see ``RenditionRequest/sourceName``.
    var source: String { request.sourceName }
    var flightKey: FlightKey { FlightKey(file: key, validatesSource: request.validatesSource) }
    /// The names under which failures of the source and of the rendition are remembered. A new version has none.
    var failureNames: (source: String, rendition: String) { (source + version.suffix, key.name + version.suffix) }
  }

  /// The result of a flight, which all of its waiters receive.
  struct FlightResult: Sendable {
    let record: RenditionRecord
    let origin: Rendition.Origin
    /// `true` if the source must be revalidated in the background.
    var isStale = false
    /// `true` if a stale rendition is sent because the current one is not available.
    var isDegraded = false
  }

  /// Returns the stored file, the rendered one, or a fallback.
  func result(of job: RenditionJob) async throws(ServingError) -> FlightResult {
    var job = job
    var known = memory.record(for: job.request)
    if known?.isCurrent(after: job.purge) == false { known = nil }
    if let result = validResult(of: known, .memory, job) { return result }
    if !stores.isEmpty {
      let (key, purge) = (job.key, job.purge)
      let stored = await recorder.measure(.store) { () async throws(Never) in
        await stores.record(for: key, after: purge)
      }
      if let stored { learnFailure(of: stored, job) }
      if let stored, !stored.isShared {
        job.isUnshared = !stored.hasOnlyFailure && stored.freshness.state(at: clock.now()) == .fresh
      } else if let stored, known.map({ $0.freshness.checkedAt < stored.freshness.checkedAt }) ?? true {
        known = keepStored(stored, job)
      }
      if let result = validResult(of: known, .store, job) { return result }
    }
    do throws(ServingError) {
      return try await produce(job, known)
    } catch {
      return try fallback(known, job, for: error)
    }
  }

  /// Returns the stored file if it may be sent without validation.
  private func validResult(
    of record: RenditionRecord?, _ origin: Rendition.Origin, _ job: RenditionJob
  ) -> FlightResult? {
    guard let record, !job.request.validatesSource else { return nil }
    switch state(of: record, job.request.source) {
    case .fresh: return FlightResult(record: record, origin: origin)
    case .renewable: return job.isRenewal ? nil : FlightResult(record: record, origin: origin, isStale: true)
    case .stale: return nil
    }
  }

  private func fallback(
    _ known: RenditionRecord?, _ job: RenditionJob, for error: ServingError
  ) throws(ServingError) -> FlightResult {
    switch error {
    case .sourceNotFound, .notAnImage, .tooLarge, .sourceNotAllowed:
      if known != nil { forget(job) }
      throw error
    case .sourceFailed, .sourceTimedOut, .overloaded:
      guard let known, known.freshness.allowsStaleIfError(at: clock.now()) else { throw error }
      // The new version of a file exists, but there is no time to render it.
      if case .overloaded = error, !currentVersion(of: job.request.source).admits(known.sourceFields) { throw error }
      return FlightResult(record: known, origin: .store, isDegraded: true)
    default: throw error
    }
  }

  // MARK: The steps

  /// Renders the file, or revalidates the known one, when the request is admitted and no other node does so.
  private func produce(_ job: RenditionJob, _ known: RenditionRecord?) async throws(ServingError) -> FlightResult {
    if let error = rememberedFailure(job) {
      recorder.count(\.rememberedFailures)
      throw error
    }
    let permit = try admission.admit()
    defer { permit.release() }
    let lease: LeaseClient?
    switch try await waitForLease(job, known) {
    case .granted(let granted): lease = granted
    case .finished(let result): return result
    }
    do throws(ServingError) {
      return try await produce(job, known, permit, lease)
    } catch {
      shareFailure(job, known, lease)
      throw error
    }
  }

  private func produce(
    _ job: RenditionJob, _ known: RenditionRecord?, _ permit: Admission.Permit, _ lease: LeaseClient?
  ) async throws(ServingError) -> FlightResult {
    var source: SourceFile
    switch try await loadOrValidateSource(job, known) {
    case .unchanged(let known, let check): return renewed(known, check, job, lease)
    case .file(let file): source = file
    }
    let watermark = try await watermark(job)
    if let watermark { source = SourceFile(data: source.data, check: source.check.restricted(by: watermark.check)) }
    // Other nodes need not wait until the file is rendered, since they cannot use it.
    if source.check.freshness.cacheability != .shared { noteUnshared(source.check, job, lease) }
    try permit.hold(sourceBytes: source.data.count + (watermark?.data.count ?? 0))
    let file = try await render(job, source, watermark, permit)
    permit.release()
    return await finished(file, source, job, lease)
  }

  /// Returns the error of the source or the rendition that this node remembers; `nil` if there is none.
  func rememberedFailure(_ job: RenditionJob) -> ServingError? {
    let (now, names) = (clock.now(), job.failureNames)
    return failures.error(of: names.source, after: job.purge, now: now)
      ?? failures.error(of: names.rendition, after: job.purge, now: now)
  }

  private enum ValidatedSource {
    case file(SourceFile)
    /// The source is still the version that the rendition was rendered from.
    case unchanged(RenditionRecord, SourceCheck)
  }

  /// Loads the source, or validates it if a rendition is known.
  private func loadOrValidateSource(
    _ job: RenditionJob, _ known: RenditionRecord?
  ) async throws(ServingError) -> ValidatedSource {
    if let known, !job.request.validatesSource,
      let check = checks.check(of: job.source, for: known, now: clock.now()),
      currentVersion(of: job.request.source).admits(check.fields)
    {
      return .unchanged(known, check)
    }
    let requestedAt = clock.now()
    switch try await load(job, known) {
    case .data(let data, let head):
      recorder.count(\.sources)
      recorder.count(\.sourceBytes, data.count)
      let check = SourceCheck(SourceVersion(data), head, requestedAt: requestedAt, now: clock.now(), rules: rules)
      checks.note(check, of: job.source)
      guard let known, known.source == check.version else { return .file(SourceFile(data: data, check: check)) }
      return .unchanged(known, check)
    case .notModified(let known, let head):
      recorder.count(\.sourcesUnchanged)
      let check = SourceCheck(notModified: head, known, requestedAt: requestedAt, now: clock.now(), rules: rules)
      checks.note(check, of: job.source)
      return .unchanged(known, check)
    }
  }

  private enum LoadedSource {
    case data(Data, ResponseHead?)
    case notModified(RenditionRecord, ResponseHead)
  }

  private func load(_ job: RenditionJob, _ known: RenditionRecord?) async throws(ServingError) -> LoadedSource {
    var urlRequest = urlRequest(for: job.request.source, after: known == nil ? job.purge : nil)
    for (name, value) in job.request.sourceFields { urlRequest.setValue(value, forHTTPHeaderField: name) }
    known?.sourceFields.addConditions(to: &urlRequest)
    return try await load(urlRequest, named: job.failureNames.source, after: job.purge, job, known)
  }

  /// Returns a request whose response does not contain bytes that were stored before a purge.
  private func urlRequest(for source: URL, after purge: PurgeID?) -> URLRequest {
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
    _ urlRequest: URLRequest, named name: String, after purge: PurgeID?, _ job: RenditionJob, _ known: RenditionRecord?
  ) async throws(ServingError) -> LoadedSource {
    var urlRequest = urlRequest
    let isValidating =
      job.request.validatesSource || rules.validationInterval != nil
      || known == nil && job.request.options.cacheBuster != nil
    if isValidating, urlRequest.cachePolicy == .useProtocolCachePolicy {
      // The copy in the cache of sources may be of the version before.
      urlRequest.cachePolicy = .reloadRevalidatingCacheData
    }
    if let trace = TraceParent.current {
      urlRequest.setValue(trace.text, forHTTPHeaderField: TraceParent.field)
      urlRequest.setValue(trace.state, forHTTPHeaderField: TraceParent.stateField)
    }
    let request = ImageRequest(urlRequest: urlRequest, priority: job.isRenewal ? .low : .normal)
    return try await recorder.measure(.source) { () async throws(ServingError) in
      let task = pipeline.startTask(with: request, kind: .data)
      defer { note(task.facts) }
      do throws(ImagePipeline.Error) {
        let response = try await task.response
        return .data(
          response.container.data ?? Data(),
          response.urlResponse.map { ResponseHead($0, url: urlRequest.url ?? job.request.source) })
      } catch {
        if let known, case .dataLoadingFailed(let reason) = error, let notModified = reason as? NotModified {
          return .notModified(known, notModified.head)
        }
        let failure = ServingError(loading: error)
        failures.note(failure, of: name, after: purge, isOfSource: error.isOfSource, now: clock.now())
        throw failure
      }
    }
  }

  /// Returns the watermark that the options name; `nil` if they name none. It comes from memory if it is fresh there.
  /// Otherwise, it is loaded like a source, but without the fields of the client.
  private func watermark(_ job: RenditionJob) async throws(ServingError) -> SourceFile? {
    let options = job.request.options
    guard job.request.output == .image, options.watermark != nil, options.watermarkText == nil,
      let text = options.watermarkSource
    else { return nil }
    guard let url = URL(escaping: text) else { throw .invalidOption("watermark_url", "it is not a URL") }
    let purge = await lastPurge(of: url)
    let version = currentVersion(of: url)
    if options.cacheBuster == nil, let file = watermarks.file(at: text, after: purge, now: clock.now()),
      version.admits(file.check.fields)
    {
      return file
    }
    let name = text + version.suffix
    do throws(ServingError) {
      let requestedAt = clock.now()
      if let error = failures.error(of: name, after: purge, now: requestedAt) {
        recorder.count(\.rememberedFailures)
        throw error
      }
      let loaded = try await load(urlRequest(for: url, after: purge), named: name, after: purge, job, nil)
      guard case .data(let data, let head) = loaded else {
        throw .sourceFailed("Its server responded with 304 to a request without a condition.")
      }
      let file = SourceFile(
        data: data,
        check: SourceCheck(SourceVersion(data), head, requestedAt: requestedAt, now: clock.now(), rules: rules))
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
    _ job: RenditionJob, _ source: SourceFile, _ watermark: SourceFile?, _ permit: Admission.Permit
  ) async throws(ServingError) -> RenderedFile {
    // The decode budget is that of this node. All else would fail on other nodes, too.
    var isOfSource = true
    do throws(ServingError) {
      if job.request.output == .image, let hash = job.request.options.sourceHash {
        let check = await pipeline.unlimitedQueue.run {
          Result { () throws(ServingError) in try hash.check(source.data) }
        }
        try check.get()
      }
      let plan = try await observed { () async throws(ServingError) in
        try await job.renderer.plan(job.request, source: source.data, watermark: watermark?.data)
      }
      isOfSource = false
      try await recorder.measure(.wait) { () async throws(ServingError) in
        try await permit.waitForBudget(bytes: plan.decodedBytes)
      }
      isOfSource = true
      return try await recorder.measure(.render) { () async throws(ServingError) in try await observed(plan.render) }
    } catch {
      failures.note(
        error, of: job.failureNames.rendition, after: job.purge, isOfSource: isOfSource, now: clock.now())
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
    _ file: RenderedFile, _ source: SourceFile, _ job: RenditionJob, _ lease: LeaseClient?
  ) async -> FlightResult {
    recorder.count(\.renditions)
    recorder.count(\.renditionBytes, file.data.count)
    var rendition = Rendition(
      data: file.data, contentType: file.contentType,
      entityTag: await pipeline.unlimitedQueue.run { "\"" + Digest.text(of: file.data) + "\"" },
      lastModified: source.check.lastModified)
    rendition.sizes = file.sizes
    var record = RenditionRecord(
      rendition, freshness: source.check.freshness, source: source.check.version, sourceFields: source.check.fields)
    record.purge = job.purge
    keep(record, job, lease)
    return FlightResult(record: record, origin: .made)
  }

  private func renewed(
    _ known: RenditionRecord, _ check: SourceCheck, _ job: RenditionJob, _ lease: LeaseClient?
  ) -> FlightResult {
    recorder.count(\.renewals)
    let record = known.renewed(by: check)
    if !record.isShared { noteUnshared(check, job, lease) }
    keep(record, job, lease)
    return FlightResult(record: record, origin: .store)
  }

  private func keep(_ record: RenditionRecord, _ job: RenditionJob, _ lease: LeaseClient?) {
    guard record.isShared else { return memory.remove(job.request) }
    keepInMemory(record, job)
    guard !stores.isEmpty else { return }
    afterwards { [self] in
      await recorder.measure(.write) { () async throws(Never) in await stores.store(record, for: job.key) }
      // Store first, then release: other nodes look in the store as soon as they acquire the lease.
      lease?.end()
    }
  }

  /// Replaces what the stores have by the information that the rendition must not be shared, and releases the lease.
  private func noteUnshared(_ check: SourceCheck, _ job: RenditionJob, _ lease: LeaseClient?) {
    guard !stores.isEmpty else { return }
    var record = RenditionRecord.unshared(check, now: clock.now())
    record.purge = job.purge
    afterwards { [self, record] in
      await stores.store(record, for: job.key)
      lease?.end()
    }
  }

  func keepInMemory(_ record: RenditionRecord, _ job: RenditionJob) {
    guard job.renderer.identifier == renderer.identifier else { return }
    memory.keep(record, for: job.request)
    variants.note(job.request)
  }

  /// Keeps a file of a store in memory, and returns it. Returns the one in memory instead if that is newer: a flight that
  /// validates the source may have kept it during the look-up in the store.
  func keepStored(_ stored: RenditionRecord, _ job: RenditionJob) -> RenditionRecord {
    if let kept = memory.record(for: job.request), kept.isCurrent(after: job.purge),
      kept.freshness.checkedAt > stored.freshness.checkedAt
    {
      return kept
    }
    keepInMemory(stored, job)
    return stored
  }

  private func forget(_ job: RenditionJob) {
    memory.remove(job.request)
    guard !stores.isEmpty else { return }
    // The shared store has, or gets, a shared failure in place of the rendition.
    let (now, names) = (clock.now(), job.failureNames)
    let isShared =
      leasing != nil && !job.isUnshared && job.version == .unknown
      && [names.source, names.rendition].contains { failures.isShared($0, after: job.purge, now: now) }
    afterwards { [self] in
      if isShared { await stores.removeUnshared(job.key) } else { await stores.remove(job.key) }
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
