#if Server
  import CoreMetrics
  import NukeServing
  import Tracing

  /// Asks another maker, and notes down what it did: in metrics, in a span, and in the request's record.
  struct ObservedRenditions: RenditionMaking {
    private let maker: any RenditionMaking
    private let clock: @Sendable () -> Double
    private let durations: [Rendition.Origin: CoreMetrics.Timer]
    private let counters: [Rendition.Origin: Counter]
    private let factory: any MetricsFactory
    private let statistics: ServerStatistics
    private let tracer: any Tracer

    init(
      _ maker: any RenditionMaking, metrics factory: any MetricsFactory, statistics: ServerStatistics,
      tracer: any Tracer, clock: @escaping @Sendable () -> Double
    ) {
      self.maker = maker
      self.tracer = tracer
      self.clock = clock
      self.factory = factory
      self.statistics = statistics
      let origins = Rendition.Origin.allCases
      durations = Dictionary(
        uniqueKeysWithValues: origins.map { origin in
          (
            origin,
            CoreMetrics.Timer(
              label: "nuke_rendition_duration_seconds", dimensions: [("origin", origin.rawValue)], factory: factory)
          )
        })
      counters = Dictionary(
        uniqueKeysWithValues: origins.map { origin in
          (
            origin,
            Counter(label: "nuke_renditions_total", dimensions: [("origin", origin.rawValue)], factory: factory)
          )
        })
    }

    func rendition(for request: RenditionRequest) async throws(ServingError) -> Rendition {
      let start = clock()
      let span = tracer.startSpan("nuke.rendition", ofKind: .internal)
      defer { span.end() }
      let result: Result<Rendition, ServingError> = await ServiceContext.$current.withValue(span.context) {
        do throws(ServingError) {
          return .success(try await maker.rendition(for: request))
        } catch {
          return .failure(error)
        }
      }
      let seconds = clock() - start
      RequestRecord.current?.add("rendition", seconds)
      switch result {
      case .success(let rendition):
        counters[rendition.origin]?.increment()
        durations[rendition.origin]?.recordSeconds(seconds)
        statistics.answered(rendition.origin)
        RequestRecord.current?.set(rendition)
        span.attributes["nuke.origin"] = rendition.origin.rawValue
        span.attributes["nuke.bytes"] = rendition.data.count
      case .failure(let error):
        Counter(label: "nuke_rendition_errors_total", dimensions: [("error", error.name)], factory: factory).increment()
        span.recordError(error)
        span.setStatus(SpanStatus(code: .error))
      }
      return try result.get()
    }
  }
#endif
