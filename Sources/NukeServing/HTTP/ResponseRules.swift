package import Foundation
import NukeCodecs
import NukeHTTPCaching

/// Decides the response to a request, from its head and its rendition. Uses no clock and does no I/O: each response
/// depends only on the arguments.
package struct ResponseRules: Sendable {
  package let settings: AnswerSettings
  /// The formats of the settings that this build can write.
  let offered: [ImageFormat]
  private let enforced: [ImageFormat]
  private let negotiated = NegotiatedFormats()
  private let negotiatedEnforced = NegotiatedFormats()
  private let imageFields: [ResponseField]
  private let messageFields: [ResponseField]

  /// The `Content-Security-Policy` of all responses. A browser that opens a response as a page, such as an SVG, loads
  /// no other resources and runs no scripts.
  package static let contentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
  private static let exposed = "ETag, Content-Range, Retry-After, Server-Timing, X-Request-ID"

  package init(_ settings: AnswerSettings) {
    self.settings = settings
    offered = settings.offeredFormats.filter { $0.isWritable && $0.libraryFailure == nil }
    enforced = settings.enforcedFormats.filter { $0.isWritable && $0.libraryFailure == nil }
    var common = [
      ResponseField(.contentTypeOptions, "nosniff"), ResponseField(.contentSecurityPolicy, Self.contentSecurityPolicy),
    ]
    common.append(
      ResponseField(.crossOriginResourcePolicy, settings.allowsEmbedding ? "cross-origin" : "same-origin"))
    if settings.allowedOrigins == .any {
      common.append(ResponseField(.accessControlAllowOrigin, "*"))
      common.append(ResponseField(.accessControlExposeHeaders, Self.exposed))
      if settings.sendsTiming { common.append(ResponseField(.timingAllowOrigin, "*")) }
    }
    messageFields = common
    var image = common
    image.append(ResponseField(.acceptRanges, "bytes"))
    if let hints = settings.clientHints.acceptCH { image.append(ResponseField(.acceptCH, hints)) }
    imageFields = image
  }

  /// Returns the constant fields of a kind of response.
  package func fields(_ constant: ServedResponse.Constant) -> [ResponseField] {
    switch constant {
    case .image: imageFields
    case .message: messageFields
    }
  }

  /// Returns the methods that the paths of images accept, as the value of `Allow`. They include OPTIONS only if scripts
  /// of other sites may read responses.
  package func methods(canPurge: Bool) -> String {
    let options = settings.allowedOrigins == .none ? [] : ["OPTIONS"]
    return (["GET", "HEAD"] + options + (canPurge ? ["DELETE"] : [])).joined(separator: ", ")
  }

  /// Returns the formats for a client with this `Accept` field.
  func formats(accepting accept: String?) -> ContentNegotiation.Choice {
    guard let accept else { return ContentNegotiation.Choice() }
    return negotiated.choice(accepting: accept, offered: offered)
  }

  /// Appends the CORS fields for the origin of the request, if only some origins are allowed.
  func appendOrigin(_ head: RequestHead, to response: inout ServedResponse, _ varied: inout VariedFields) {
    guard case .only(let origins) = settings.allowedOrigins else { return }
    varied.insert(.origin)
    guard let origin = head[.origin], origins.contains(origin) else { return }
    response.append(.accessControlAllowOrigin, origin)
    response.append(.accessControlExposeHeaders, Self.exposed)
    if settings.sendsTiming { response.append(.timingAllowOrigin, origin) }
  }
}

extension ResponseRules {
  /// A request for an image after content negotiation.
  package struct NegotiatedRequest: Sendable {
    package var request: RenditionRequest
    /// The request fields that were used, for `Vary`.
    package var varied: VariedFields = []
    /// `true` if the URL is signed, and therefore comes from the operator.
    package var isSigned = false
    /// `true` if the source may receive fields of the client, whether it has sent any or not.
    package var isPassing = false
    /// `true` if the source receives fields of the client, so that the response is for this client only.
    package var isPersonal = false
  }

  /// Returns `true` if the source must be validated before a stored image is sent (RFC 9111 §5.2.1.4).
  private func validatesSource(_ head: RequestHead) -> Bool {
    guard settings.honorsNoCache, let value = head[.cacheControl] else { return false }
    return FieldList(Array(value.utf8)[...]).contains { $0.isSame(as: "no-cache") }
  }

  /// Adds the fields of the client that the source receives.
  private func pass(_ head: RequestHead, to negotiated: inout NegotiatedRequest) {
    guard !settings.passthrough.names.isEmpty, let scheme = negotiated.request.source.scheme,
      SourceAddress.isOfHTTP(scheme)
    else { return }
    negotiated.request.sourceFields = settings.passthrough.fields(of: head.passed, to: negotiated.request.source)
    negotiated.isPassing = true
    negotiated.isPersonal = !negotiated.request.sourceFields.isEmpty
  }

  /// Returns the value of `Vary`; `nil` if the response does not depend on fields of the request.
  ///
  /// - Parameter isPassing: `true` if the source may receive fields of the client.
  func varied(_ varied: VariedFields, isPassing: Bool) -> String? {
    guard isPassing, let names = settings.passthrough.variedText else { return varied.text }
    return varied.text.map { "\($0), \(names)" } ?? names
  }

  /// Chooses the values that the URL does not specify, by the client's fields.
  ///
  /// - Parameter hasDPR: `true` if the URL sets ``ImageOptions/dpr``.
  package func negotiate(
    _ request: RenditionRequest, hasDPR: Bool, isSigned: Bool, _ head: RequestHead
  ) -> NegotiatedRequest {
    var negotiated = NegotiatedRequest(request: request, isSigned: isSigned)
    negotiated.request.validatesSource = validatesSource(head)
    negotiated.request.format = request.options.format
    negotiated.varied = settings.clientHints.apply(
      to: &negotiated.request, head, hasDPR: hasDPR, quality: settings.saveDataQuality)
    if request.options.bestFormats != nil {
      negotiated.varied.insert(.accept)
      negotiated.request.options.bestFormats = ContentNegotiation.all(accepting: head[.accept], offered: offered)
    } else if !request.options.isRaw, request.options.placeholder == nil {
      negotiateFormat(head, of: &negotiated)
    }
    pass(head, to: &negotiated)
    return negotiated
  }

  private func negotiateFormat(_ head: RequestHead, of negotiated: inout NegotiatedRequest) {
    guard let named = negotiated.request.options.format else {
      guard !offered.isEmpty else { return }
      negotiated.varied.insert(.accept)
      let choice = formats(accepting: head[.accept])
      (negotiated.request.format, negotiated.request.movingFormat) = (choice.format, choice.moving)
      return
    }
    guard !enforced.isEmpty else { return }
    negotiated.varied.insert(.accept)
    guard let accept = head[.accept],
      case let choice = negotiatedEnforced.choice(accepting: accept, offered: enforced), choice.format != nil
    else { return }
    negotiated.request.format = choice.format
    // Without an enforced format for animated images, that of the URL remains.
    negotiated.request.movingFormat = choice.moving.map { enforced.contains($0) ? $0 : named }
  }

  /// Returns a request for the facts about an image, for which nothing is negotiated.
  ///
  /// - Parameter expires: seconds since 1970 after which the URL is rejected.
  package func negotiateFacts(
    source: URL, expires: Int?, isSigned: Bool, _ head: RequestHead
  ) -> NegotiatedRequest {
    var request = RenditionRequest.facts(of: source)
    request.options.expires = expires
    request.validatesSource = validatesSource(head)
    var negotiated = NegotiatedRequest(request: request, isSigned: isSigned)
    pass(head, to: &negotiated)
    return negotiated
  }
}
