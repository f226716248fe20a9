/// A header field of an answer.
package struct AnswerField: Sendable, Hashable {
  package enum Name: Int, Sendable, CaseIterable {
    case acceptCH, acceptRanges, accessControlAllowHeaders, accessControlAllowMethods, accessControlAllowOrigin,
      accessControlExposeHeaders, accessControlMaxAge, allow, cacheControl, contentDisposition,
      contentLength, contentRange, contentSecurityPolicy, contentType, contentTypeOptions, crossOriginResourcePolicy,
      entityTag, lastModified, requestID, retryAfter, serverTiming, timingAllowOrigin, vary

    package var spelling: String {
      switch self {
      case .acceptCH: "Accept-CH"
      case .acceptRanges: "Accept-Ranges"
      case .accessControlAllowHeaders: "Access-Control-Allow-Headers"
      case .accessControlAllowMethods: "Access-Control-Allow-Methods"
      case .accessControlAllowOrigin: "Access-Control-Allow-Origin"
      case .accessControlExposeHeaders: "Access-Control-Expose-Headers"
      case .accessControlMaxAge: "Access-Control-Max-Age"
      case .allow: "Allow"
      case .cacheControl: "Cache-Control"
      case .contentDisposition: "Content-Disposition"
      case .contentLength: "Content-Length"
      case .contentRange: "Content-Range"
      case .contentSecurityPolicy: "Content-Security-Policy"
      case .contentType: "Content-Type"
      case .contentTypeOptions: "X-Content-Type-Options"
      case .crossOriginResourcePolicy: "Cross-Origin-Resource-Policy"
      case .entityTag: "ETag"
      case .lastModified: "Last-Modified"
      case .requestID: "X-Request-ID"
      case .retryAfter: "Retry-After"
      case .serverTiming: "Server-Timing"
      case .timingAllowOrigin: "Timing-Allow-Origin"
      case .vary: "Vary"
      }
    }
  }

  package let name: Name
  package let value: String

  package init(_ name: Name, _ value: String) {
    self.name = name
    self.value = value
  }
}
