/// The `Cache-Control` field of a response (RFC 9111 §5.2.2).
///
/// There is no `Age`: the server is the origin of what it makes, and counts the time that the source has left.
enum CachingFields {
  /// The value of `Cache-Control`.
  ///
  /// - Parameter isSigned: whether the URL is the site's own, and not anybody's.
  static func cacheControl(
    _ rendition: Rendition, _ options: ImageOptions, isSigned: Bool, _ settings: AnswerSettings, now: Int
  ) -> String {
    // Better ones are made when there is time.
    if rendition.isDegraded || rendition.cacheability == .none { return "no-store" }
    let audience = rendition.cacheability == .private ? "private" : "public"
    var age = settings.freshness
    let isImmutable = settings.trustsCacheBusters && isSigned && options.cacheBuster != nil
    if isImmutable {
      age = settings.maximumFreshness
    } else if settings.passesFreshness, let freshUntil = rendition.freshUntil {
      age = difference(freshUntil, now)
    }
    let seconds = bounded(age, expires: options.expires, settings, now: now)
    if isImmutable { return "\(audience), max-age=\(seconds), immutable" }
    guard let stale = settings.staleWhileRevalidate, stale > 0, options.expires == nil else {
      return "\(audience), max-age=\(seconds)"
    }
    return "\(audience), max-age=\(seconds), stale-while-revalidate=\(stale)"
  }

  private static func bounded(_ age: Int, expires: Int?, _ settings: AnswerSettings, now: Int) -> Int {
    let age = min(age, settings.maximumFreshness)
    // Behind that moment the URL is refused, and a cache is not to give what the server would not.
    guard let expires else { return max(0, age) }
    return max(0, min(age, difference(expires, now)))
  }

  /// The same of an error: one that lies in the request is the same for a while, one of the server's is over any moment.
  static func cacheControl(_ error: ServingError, _ settings: AnswerSettings) -> String {
    switch error {
    case .malformedURL, .invalidOption, .wrongSignature, .expired, .sourceNotAllowed, .sourceNotFound, .tooLarge,
      .notAnImage, .cannotWrite:
      settings.errorFreshness > 0 ? "public, max-age=\(settings.errorFreshness)" : "no-store"
    case .sourceFailed, .sourceTimedOut, .overloaded, .shuttingDown, .deadlineExceeded, .cancelled, .failed: "no-store"
    }
  }

  /// Moments come from sources and URLs, and may be any number.
  private static func difference(_ later: Int, _ earlier: Int) -> Int {
    let (difference, isOverflow) = later.subtractingReportingOverflow(earlier)
    return isOverflow ? (later < 0 ? .min : .max) : difference
  }
}
