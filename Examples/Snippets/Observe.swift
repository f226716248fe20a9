// The log, metrics and traces of a pipeline, for a server, and the facts of one load.
import CoreMetrics
import Foundation
import Logging
import Nuke
import Tracing

func observe() async {
  // The program bootstraps its backends before: LoggingSystem, MetricsSystem, InstrumentationSystem.
  let pipeline = ImagePipeline {
    $0.logger = Logger(label: "com.example.images")
    $0.metricsFactory = MetricsSystem.factory
    $0.tracer = InstrumentationSystem.tracer
  }

  let task = pipeline.imageTask(with: URL(string: "https://example.com/a.jpg")!)
  _ = try? await task.response
  let facts = task.facts
  print("from \(facts.origin?.rawValue ?? "nowhere"), \(facts.byteCount) bytes, decoded in \(facts.decoding) s")
  if let reason = facts.notCachedOnDisk { print("nothing on disk: \(reason)") }
}
