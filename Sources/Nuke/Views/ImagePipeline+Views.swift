extension ImagePipeline {
  /// The result of a look-up before a load.
  package enum LookUp {
    /// There is no request.
    case missing
    /// The image is in memory.
    case hit(ImageResponse)
    /// The image must be loaded. There may be a preview or a stale image in memory.
    case miss(ImageRequest, preview: ImageContainer?, MemoryLook)
  }

  /// Looks up the image of a request in memory.
  ///
  /// - Parameter processors: the processors for a request without processors.
  package func lookUp(_ request: ImageRequest?, processors: [any ImageProcessing]) -> LookUp {
    guard var request else { return .missing }
    if !processors.isEmpty, request.processors.isEmpty { request.processors = processors }
    request = withDefaultProcessors(request)
    var look = lookInMemory(for: request)
    guard let response = memoryResponse(&look, for: request) else { return .miss(request, preview: nil, look) }
    if response.isPreview { return .miss(request, preview: response.container, look) }
    instruments?.didHitMemory(request)
    return .hit(response)
  }
}
