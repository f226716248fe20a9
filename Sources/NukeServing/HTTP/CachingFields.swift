/// The `Cache-Control` field of a response (RFC 9111 §5.2.2).
///
/// The server sends no `Age` field. It is the origin of its files, and states the remaining lifetime of the source.
enum CachingFields {
  /// Returns the value of `Cache-Control`.
  ///
  /// - Parameters:
  ///   - isSigned: `true` if the URL has a valid signature, and therefore comes from the operator.
  ///   - isPersonal: `true` if the source received fields of the client.
  static func cacheControl(
    _ rendition: Rendition, _ options: ImageOptions, isSigned: Bool, isPersonal: Bool = false,
    _ settings: AnswerSettings, now: Int
  ) -> String {
    // A degraded response must not be stored: a later request can get a better one.
    if rendition.isDegraded || rendition.cacheability == .none { return "no-store" }
    let audience = rendition.cacheability == .private || isPersonal ? "private" : "public"
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
    // The URL is rejected after that time. A cache must not outlast it.
    guard let expires else { return max(0, age) }
    return max(0, min(age, difference(expires, now)))
  }

  /// Returns the value of `Cache-Control` for an error. Errors in the request are cached for a while; failures of the
  /// server or the source may be temporary and are not cached.
  ///
  /// - Parameter isPersonal: `true` if the source may have received fields of the client.
  static func cacheControl(_ error: ServingError, isPersonal: Bool = false, _ settings: AnswerSettings) -> String {
    if isPersonal { return "no-store" }
    return switch error {
    case .unknownPath, .malformedURL, .invalidOption, .wrongSignature, .expired, .sourceNotAllowed, .sourceNotFound,
      .tooLarge, .notAnImage, .wrongHash, .cannotWrite:
      settings.errorFreshness > 0 ? "public, max-age=\(settings.errorFreshness)" : "no-store"
    case .wrongToken, .methodNotAllowed, .sourceFailed, .sourceTimedOut, .overloaded, .shuttingDown,
      .deadlineExceeded, .cancelled, .purgeNotShared, .failed:
      "no-store"
    }
  }

  /// Times come from sources and URLs, so the difference can overflow.
  private static func difference(_ later: Int, _ earlier: Int) -> Int {
    let (difference, isOverflow) = later.subtractingReportingOverflow(earlier)
    return isOverflow ? (later < 0 ? .min : .max) : difference
  }
}
