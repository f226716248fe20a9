#if Server
  import Foundation
  import Logging
  import Nuke
  import Tracing

  /// What exports the traces and metrics of a server.
  struct Telemetry {
    let tracer: OTLPTracer
    let exporter: TelemetryExporter
  }

  extension ImageServer.Configuration {
    /// Returns the export of traces and metrics; `nil` if no collector is set.
    ///
    /// - Parameters:
    ///   - metrics: the metrics to export. Those of the export are added.
    ///   - limits: the limits of the queue. Their interval is replaced.
    func telemetry(
      metrics: PrometheusRegistry, logger: Logger, limits: ExportSchedule.Limits = ExportSchedule.Limits()
    ) -> Telemetry? {
      guard let otlpEndpoint else { return nil }
      var limits = limits
      limits.metricsInterval = otlpMetricsInterval > 0 ? otlpMetricsInterval : nil
      let client = OTLPClient(endpoint: otlpEndpoint, headers: otlpHeaders, timeLimit: 10)
      let exporter = TelemetryExporter(client, resource: resource, registry: metrics, limits: limits) {
        logger.warning("\($0)")
      }
      // The registry must not retain the exporter, which retains the registry.
      metrics.collect { [weak exporter] in exporter?.metrics ?? [] }
      let tracer = OTLPTracer(ratio: traceRatio, propagates: propagatesTraces) { exporter.add($0) }
      return Telemetry(tracer: tracer, exporter: exporter)
    }

    /// The attributes of this process. An ID keeps the metrics of several servers apart.
    private var resource: [String: String] {
      var attributes = [
        "service.name": "nuke", "service.version": PackageVersion.current,
        "service.instance.id": UUID().uuidString.lowercased(), "host.name": ProcessInfo.processInfo.hostName,
        "process.pid": String(ProcessInfo.processInfo.processIdentifier), "telemetry.sdk.name": "nuke",
        "telemetry.sdk.language": "swift", "telemetry.sdk.version": PackageVersion.current,
      ]
      attributes.merge(otlpAttributes) { $1 }
      if let otlpServiceName { attributes["service.name"] = otlpServiceName }
      return attributes
    }
  }

  extension ServerDependencies {
    /// The longest time for the last export at shutdown, in seconds.
    private static let lastExportSeconds = 2.0

    /// Exports traces and metrics while the server runs, and what is left of them when it closes.
    mutating func export(by exporter: TelemetryExporter) {
      start = { exporter.begin() }
      close = { [close] deadline in
        await close(deadline)
        await exporter.end(seconds: min(Self.lastExportSeconds, deadline.seconds))
      }
    }
  }
#endif
