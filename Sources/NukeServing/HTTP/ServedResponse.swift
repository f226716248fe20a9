/// A response: its status, header fields, and body.
package struct ServedResponse: Sendable {
  package var status: Int
  /// The constant fields at the beginning of the response.
  package var constant: Constant
  /// The other fields, which follow the constant ones.
  package var fields: [ResponseField] = []
  package var body: Body

  /// Fields that are computed once; see ``ResponseRules/fields(_:)``.
  package enum Constant: Sendable, Hashable, CaseIterable {
    /// A response with an image or a range of one.
    case image
    /// Any other response.
    case message
  }

  package enum Body: Sendable, Hashable {
    /// No body. A `Content-Length` among the fields is that of the response to a GET.
    case none
    /// The whole rendition.
    case whole
    /// One range of the rendition.
    case part(Range<Int>)
    /// Several ranges of the rendition, as a multipart body (RFC 9110 §14.6).
    case parts([Piece])
    /// A text instead of a rendition.
    case text(String)
  }

  package enum Piece: Sendable, Hashable {
    case text(String)
    case part(Range<Int>)

    package var count: Int {
      switch self {
      case .text(let text): text.utf8.count
      case .part(let range): range.count
      }
    }
  }

  package subscript(name: ResponseField.Name) -> String? { fields.first { $0.name == name }?.value }

  mutating func append(_ name: ResponseField.Name, _ value: String) { fields.append(ResponseField(name, value)) }

  mutating func append(_ name: ResponseField.Name, _ value: String?) {
    if let value { append(name, value) }
  }
}

/// A header field of a response.
package struct ResponseField: Sendable, Hashable {
  package enum Name: Int, Sendable, CaseIterable {
    case acceptCH, acceptRanges, accessControlAllowHeaders, accessControlAllowMethods, accessControlAllowOrigin,
      accessControlExposeHeaders, accessControlMaxAge, allow, cacheControl, cacheTag, cacheTagOfCloudFront,
      contentDisposition,
      contentLength, contentRange, contentSecurityPolicy, contentType, contentTypeOptions, crossOriginResourcePolicy,
      entityTag, fallbackImage, lastModified, originContentLength, originHeight, originWidth, requestID, resultHeight,
      resultWidth, retryAfter, serverTiming, timingAllowOrigin, vary

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
      case .cacheTag: "Cache-Tag"
      case .cacheTagOfCloudFront: "x-amz-meta-cache-tag"
      case .contentDisposition: "Content-Disposition"
      case .contentLength: "Content-Length"
      case .contentRange: "Content-Range"
      case .contentSecurityPolicy: "Content-Security-Policy"
      case .contentType: "Content-Type"
      case .contentTypeOptions: "X-Content-Type-Options"
      case .crossOriginResourcePolicy: "Cross-Origin-Resource-Policy"
      case .entityTag: "ETag"
      case .fallbackImage: "Fallback-Image"
      case .lastModified: "Last-Modified"
      case .originContentLength: "X-Origin-Content-Length"
      case .originHeight: "X-Origin-Height"
      case .originWidth: "X-Origin-Width"
      case .requestID: "X-Request-ID"
      case .resultHeight: "X-Result-Height"
      case .resultWidth: "X-Result-Width"
      case .retryAfter: "Retry-After"
      case .serverTiming: "Server-Timing"
      case .timingAllowOrigin: "Timing-Allow-Origin"
      case .vary: "Vary"
      }
    }
  }

  package let name: Name
  package let value: String

  init(_ name: Name, _ value: String) {
    self.name = name
    self.value = value
  }
}
