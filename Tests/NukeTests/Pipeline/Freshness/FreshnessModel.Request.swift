import Nuke

/// What a client of the model asks for, and what is seen of it.
extension FreshnessModel {
  struct Request {
    enum Option { case none, staleWhileRevalidate, offline, reload }
    var process = 0
    var steps: Steps = []
    /// `true` to load the data of the original.
    var isData = false
    var policy = ImagePipeline.FreshnessPolicy.respect
    var option = Option.none
    /// In seconds; `Int.max` for any staleness.
    var maxStale: Int?
  }

  enum Failure: Error, Equatable { case missing, unreachable, status(Int) }

  /// What is seen of a load.
  struct Outcome: Equatable {
    var previews: [Int] = []
    var result: Result<Image, Failure>
    /// The condition of each request that the server got; `nil` for one without.
    var requests: [String?] = []
    /// `true` if the image, or the stale image that is shown first, is there before the call returns.
    var isImmediate = false
    /// `nil` if it is not compared: see ``LeftOut/inVain``.
    var work: Work? = Work()

    struct Work: Equatable {
      var decodes = 0
      /// The number of calls of processors.
      var calls = 0
    }

    struct Image: Equatable {
      var version: Int
      var freshness: Freshness?
      var cacheType: ImageResponse.CacheType?
      var origin: ImageTask.Facts.Origin?
    }
  }

  struct Setup {
    var hasMemory = true
    var hasDisk = true
    var hasHTTPCache = false
    var storing = ImagePipeline.DataCachePolicy.storeAll
  }

  /// The loads that are not compared. Except for `formerlyKnown`, the pipeline differs from this model in them, and it
  /// is to be decided what is right.
  enum LeftOut: String {
    /// A stale image with fewer processors is shown if it is on disk, and not if it is in memory.
    case intermediateImageInMemory
    /// Images are used offline after a 404 or 410, or after `no-store`.
    case offlineAndGone
    /// If another process has stored another version, which is stale too, it is validated by two jobs in turn.
    case otherVersion
    /// The HTTP cache returns its stale response as the result, or validates it itself, if the pipeline has an
    /// outdated image.
    case staleBelowOutdated
    /// The image after each processor is validated again if the HTTP cache returns the response that the pipeline has.
    case sameResponseBelow
    /// An outdated image with fewer processors is decoded although nothing more is shown, and counts as the origin.
    case inVain
    /// A process without images in memory knows of a response until its last load has been released, which takes a
    /// moment.
    case formerlyKnown
  }
}
