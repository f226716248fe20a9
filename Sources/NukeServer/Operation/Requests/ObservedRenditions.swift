#if Server
  import CoreMetrics
  import NukeServing
  import Tracing

  /// Forwards requests to another service, and records the results in metrics, in a span, and in the request's record.
  struct ObservedRenditions: RenditionMaking {
    private let service: any RenditionMaking
    private let memoryRenditions: (any MemoryRenditions)?
    private let clock: @Sendable () -> Double
    private var durations: [Rendition.Origin: CoreMetrics.Timer] = [:]
    private var counters: [Rendition.Origin: Counter] = [:]
    private let factory: any MetricsFactory
    private let statistics: ServerStatistics
    private let tracing: RequestTracing

    init(
      _ service: any RenditionMaking, metrics factory: any MetricsFactory, statistics: ServerStatistics,
      tracing: RequestTracing, clock: @escaping @Sendable () -> Double
    ) {
      self.service = service
      memoryRenditions = service as? any MemoryRenditions
      self.tracing = tracing
      self.clock = clock
      self.factory = factory
      self.statistics = statistics
      for origin in Rendition.Origin.allCases {
        let labels = [("origin", origin.rawValue)]
        durations[origin] = CoreMetrics.Timer(
          label: "nuke_rendition_duration_seconds", dimensions: labels, factory: factory)
        counters[origin] = Counter(label: "nuke_renditions_total", dimensions: labels, factory: factory)
      }
    }

    func rendition(for request: RenditionRequest) async throws(ServingError) -> Rendition {
      let start = clock()
      let span = tracing.tracer?.startSpan("nuke.rendition", ofKind: .internal)
      defer { span?.end() }
      let result = await RequestTracing.within(span) {
        await Result { () async throws(ServingError) in try await service.rendition(for: request) }
      }
      let seconds = clock() - start
      switch result {
      case .success(let rendition):
        note(rendition, seconds)
        span?.attributes["nuke.origin"] = rendition.origin.rawValue
        span?.attributes["nuke.bytes"] = rendition.data.count
      case .failure(let error):
        RequestRecord.current?.add("rendition", seconds)
        Counter(label: "nuke_rendition_errors_total", dimensions: [("error", error.name)], factory: factory).increment()
        span?.recordError(error)
        span?.setStatus(SpanStatus(code: .error))
      }
      return try result.get()
    }

    private func note(_ rendition: Rendition, _ seconds: Double) {
      counters[rendition.origin]?.increment()
      durations[rendition.origin]?.recordSeconds(seconds)
      statistics.answered(rendition.origin)
      guard let record = RequestRecord.current else { return }
      record.add("rendition", seconds)
      record.set(rendition)
    }
  }

  extension ObservedRenditions: MemoryRenditions {
    // The span of the request has all that is known about a memory hit.
    func renditionInMemory(for request: RenditionRequest, byteLimit: Int) -> Rendition? {
      guard let memoryRenditions else { return nil }
      let start = clock()
      guard let rendition = memoryRenditions.renditionInMemory(for: request, byteLimit: byteLimit) else { return nil }
      note(rendition, clock() - start)
      return rendition
    }
  }
#endif
