import NukeBase

/// A part of a pipeline's jobs, and the lock that guards it.
///
/// All jobs of one original are in the same shard. Loads of different images rarely wait for the same lock.
final class JobShard: Sendable {
  struct State {
    var graph = JobGraph<JobKey, Job, ImageTask>()
    var isInvalidated = false
  }

  let state = Lock(State())

  /// The number of shards of a pipeline: a power of two, several times the number of processors of most machines.
  static let count = 16
}

extension ImagePipeline {
  /// The shard of the jobs for a request's original.
  func shard(of request: ImageRequest) -> JobShard {
    shards[request.storage.identity.dataHash & (JobShard.count - 1)]
  }
}
