extension ImagePipeline {
  /// The image that the caches have, however old, and then the one that is loaded anew whatever they have.
  ///
  /// ```swift
  /// for try await response in pipeline.responses(revalidating: request) {
  ///   show(response.image)
  /// }
  /// ```
  ///
  /// The load starts at once, and the caches get what it gives. Where it is faster than the disk, or the caches have
  /// nothing, it is all that comes.
  ///
  /// - Returns: a sequence for one reader. It ends with the new image; where that cannot be had, it throws the
  ///   ``Error`` after the old one has come. The load is canceled with the reader.
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
