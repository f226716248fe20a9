/// One step of a load: the image after the first `processorCount` processors of a request. A value that says what the
/// step needs. ``ImageJob`` performs the step, and ``Explainer`` explains it.
struct ImageStep: Sendable {
  let request: ImageRequest
  /// The number of the request's processors that are applied.
  let processorCount: Int

  enum Input {
    /// The image that a closure returns.
    case closure(@Sendable () async throws -> ImageContainer)
    /// The data of the original.
    case data
    /// The image after one processor less.
    case shorterChain
  }

  var input: Input {
    if processorCount > 0, decodeTarget == nil || request.isGivenDecoded { return .shorterChain }
    if case .image(_, let closure) = request.storage.resource { return .closure(closure) }
    return .data
  }

  /// `true` if an original in memory can be the input in place of its data.
  var mayUseOriginalInMemory: Bool { processorCount > 0 }

  /// The size at which the step needs the original; `nil` if it does not say.
  var decodeTarget: DecodeTarget? { request.decodeTarget(after: processorCount) }

  /// The processor of the step, or the one that makes the thumbnail; `nil` if the result is the original.
  var processor: (any ImageProcessing)? {
    processorCount == 0 ? request.thumbnail?.processor : request.processors[processorCount - 1]
  }

  /// `true` if the result differs from the original.
  var isVariant: Bool { processorCount > 0 || request.thumbnail != nil }

  /// `true` if the disk cache can have the encoded result. ``DataJob`` looks up the data of originals.
  var mayBeOnDisk: Bool { isVariant || request.isGivenDecoded }
}

extension ImageRequest {
  /// `true` if only caches may be read, and nothing may be loaded.
  var isCacheOnly: Bool { options.contains(.returnCacheDataDontLoad) }
}
