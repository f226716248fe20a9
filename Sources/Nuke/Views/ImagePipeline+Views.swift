extension ImagePipeline {
  /// The result of a look-up before a load begins.
  package enum LookUp {
    /// There is nothing to be loaded.
    case missing
    /// The image is in memory.
    case hit(ImageResponse)
    /// It has to be loaded; a preview of it, or a stale image, may be in memory.
    case miss(ImageRequest, preview: ImageContainer?, MemoryLook)
  }

  /// Looks for the image of a request in memory.
  ///
  /// - Parameter processors: those of a request that has none of its own.
  package func lookUp(_ request: ImageRequest?, processors: [any ImageProcessing]) -> LookUp {
    guard var request, request.hasSource else { return .missing }
    if !processors.isEmpty, request.processors.isEmpty { request.processors = processors }
    request = withDefaultProcessors(request)
    let look = lookInMemory(for: request)
    guard let response = memoryResponse(look, for: request) else { return .miss(request, preview: nil, look) }
    if response.isPreview { return .miss(request, preview: response.container, look) }
    instruments?.didHitMemory(request)
    return .hit(response)
  }
}
