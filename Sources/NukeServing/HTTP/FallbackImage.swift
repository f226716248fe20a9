public import Foundation

/// The image that is sent in place of one whose source does not exist, cannot be loaded, or is not an image.
public struct FallbackImage: Sendable, Hashable {
  /// The source, which is processed with the options of the request.
  public var source: URL
  /// The status code of the response; `nil` for that of the error.
  public var status: Int?
  /// The freshness lifetime of the response, in seconds.
  public var freshness: Int

  public init(source: URL, status: Int? = 200, freshness: Int = 3600) {
    self.source = source
    self.status = status
    self.freshness = freshness
  }

  /// Returns `true` if the image is sent for an error.
  package func replaces(_ error: ServingError) -> Bool {
    switch error {
    case .sourceNotFound, .sourceFailed, .sourceTimedOut, .notAnImage, .tooLarge: true
    default: false
    }
  }
}

extension ResponseRules {
  /// Returns the image to send in place of one that failed: the one that the URL names, or the server's; `nil` if there
  /// is none, or the error is not one of a source.
  package func fallback(
    for error: ServingError, _ request: RenditionRequest, ofServer fallback: FallbackImage?
  ) -> FallbackImage? {
    var fallback = fallback
    if let text = request.options.fallbackSource, let source = URL(string: text) {
      fallback = FallbackImage(
        source: source, status: settings.fallbackStatus, freshness: settings.fallbackFreshness)
    }
    return fallback.flatMap { $0.replaces(error) ? $0 : nil }
  }

  /// Returns the response to a request that failed, and gets an image in place of the error.
  package func response(
    _ head: RequestHead, _ negotiated: NegotiatedRequest, with rendition: Rendition, for error: ServingError,
    _ fallback: FallbackImage, requestID: String?, now: Int
  ) -> ServedResponse {
    var response = response(head, negotiated, with: rendition, requestID: requestID, now: now)
    response.append(.fallbackImage, "1")
    response.fields.removeAll { $0.name == .cacheControl }
    let audience = negotiated.isPersonal ? "private" : "public"
    response.append(.cacheControl, "\(audience), max-age=\(max(0, fallback.freshness))")
    if response.status == 200 { response.status = fallback.status ?? error.status }
    return response
  }
}
