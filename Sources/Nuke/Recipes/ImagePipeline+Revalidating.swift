extension ImagePipeline {
  /// Returns the cached image of any age, followed by the image from the source.
  ///
  /// ```swift
  /// for try await response in pipeline.responses(revalidating: request) {
  ///   show(response.image)
  /// }
  /// ```
  ///
  /// The load starts at once, and its result is stored in the caches. If it is faster than the disk, or if nothing is
  /// cached, the sequence has one element.
  ///
  /// - Returns: a sequence for one consumer, which ends with the new image. If that cannot be loaded, the sequence
  ///   throws the ``Error`` after the cached image. Canceling the consumer cancels the load.
  public func responses(
    revalidating request: ImageRequest
  ) -> AsyncThrowingStream<ImageResponse, any Swift.Error> {
    var (old, new) = (request, request)
    if old.options.contains(.reloadIgnoringCachedData) { old.options.subtract(.reloadIgnoringCachedData) }
    old.options.insert(.returnCacheDataDontLoad)
    new.options.subtract(.returnCacheDataDontLoad)
    new.options.insert(.reloadIgnoringCachedData)
    return responses(inOrderOfQuality: [old, new])
  }
}
