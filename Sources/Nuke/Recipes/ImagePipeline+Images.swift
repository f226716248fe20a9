extension ImagePipeline {
  /// Returns the images of many requests in the order in which their loads end, with the progress of all of them.
  ///
  /// ```swift
  /// for await loaded in pipeline.images(for: requests, maxConcurrent: 8) {
  ///   print("\(loaded.progress.completed) of \(loaded.progress.total)")
  ///   if case .success(let response) = loaded.result { show(response.image, at: loaded.index) }
  /// }
  /// ```
  ///
  /// A failure does not affect the other loads. Loads start when the iteration starts. At most `maxConcurrent` images
  /// are being loaded or wait to be delivered, so a slow loop limits the loads and the memory for their images.
  ///
  /// Leaving the loop cancels the remaining loads. So does canceling the task that iterates; the sequence ends then.
  ///
  /// - Parameters:
  ///   - requests: the requests. Equal requests share their work, and each has an element of its own.
  ///   - maxConcurrent: the maximum number of concurrent loads, at least 1. The queues of the configuration limit the
  ///     loads of all callers in addition.
  public func images(for requests: [ImageRequest], maxConcurrent: Int = 6) -> ImageSequence {
    ImageSequence(requests: requests, pipeline: self, limit: max(1, maxConcurrent))
  }

  /// The images of many requests, in the order in which their loads end. See
  /// ``ImagePipeline/images(for:maxConcurrent:)``.
  ///
  /// Each iteration starts loads of its own.
  public struct ImageSequence: AsyncSequence, Sendable {
    public typealias Failure = Never

    let requests: [ImageRequest]
    let pipeline: ImagePipeline
    let limit: Int

    /// The result of one request, and the progress of all.
    public struct Element: Sendable {
      /// The index of the request in the array.
      public let index: Int
      /// The request.
      public let request: ImageRequest
      /// The image, or the error of its load.
      public let result: Result<ImageResponse, ImagePipeline.Error>
      /// The progress of all requests, including this one.
      public let progress: Progress
    }

    /// The progress of many loads.
    public struct Progress: Hashable, Sendable {
      /// The number of delivered results, including those of failed loads.
      public internal(set) var completed: Int
      /// The number of delivered results that are errors.
      public internal(set) var failed: Int
      /// The number of requests.
      public let total: Int
      /// The bytes of encoded data that the completed loads have received; none for images from the memory cache.
      /// Requests that share a download each count its bytes.
      public internal(set) var bytes: Int64

      /// Creates a progress, for example for a preview or a test.
      public init(completed: Int, failed: Int = 0, total: Int, bytes: Int64 = 0) {
        self.completed = completed
        self.failed = failed
        self.total = total
        self.bytes = bytes
      }

      /// The fraction of requests that have completed, from 0 to 1; 1 if there are no requests.
      public var fraction: Double { total > 0 ? Swift.min(1, Double(completed) / Double(total)) : 1 }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(loads: BoundedLoads(self)) }

    /// Delivers the results of one iteration. Releasing it cancels the remaining loads.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let loads: BoundedLoads

      /// Returns the next result; `nil` after the last one, and if the calling task was canceled.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
        await loads.next(isolation: actor)
      }
    }
  }
}
