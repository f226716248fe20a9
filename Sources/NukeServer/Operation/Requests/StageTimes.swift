#if Server
  import Nuke
  import NukeImaging

  /// Tells the records of requests what the stages of the pipeline took for them.
  ///
  /// A task of the pipeline counts for the request whose answer started it.
  final class StageTimes: ImagePipeline.Delegate {
    private let records = Lock<[ImageTask: RequestRecord]>([:])

    func imageTaskCreated(_ task: ImageTask, pipeline: ImagePipeline) {
      guard let record = RequestRecord.current else { return }
      records.withLock { $0[task] = record }
    }

    func imageTask(_ task: ImageTask, didReceiveEvent event: ImageTask.Event, pipeline: ImagePipeline) {
      guard case .finished = event, let record = records.withLock({ $0.removeValue(forKey: task) }) else { return }
      let facts = task.facts
      record.add("queued", facts.queued)
      record.add("load", facts.loading)
      record.add("decode", facts.decoding)
      record.add("process", facts.processing)
    }
  }
#endif
