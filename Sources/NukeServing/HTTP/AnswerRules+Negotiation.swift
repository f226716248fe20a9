package import Foundation
import NukeCodecs

extension AnswerRules {
  /// A request for an image in which nothing is left to be chosen.
  package struct NegotiatedRequest: Sendable {
    package var request: RenditionRequest
    /// The request fields that were used, for `Vary`.
    package var varied: VariedFields
    /// `true` if the URL is signed: its author is whoever runs the server.
    package var isSigned: Bool

    package init(request: RenditionRequest, varied: VariedFields = [], isSigned: Bool = false) {
      self.request = request
      self.varied = varied
      self.isSigned = isSigned
    }
  }

  /// Chooses what a URL leaves to the client. What the URL says counts always.
  ///
  /// - Parameter hasDPR: whether the URL says ``ImageOptions/dpr``.
  package func negotiate(
    source: URL, options: ImageOptions, hasDPR: Bool, isSigned: Bool, _ head: RequestHead
  ) -> NegotiatedRequest {
    let hinted = settings.clientHints.applied(
      to: options, head, hasDPR: hasDPR, quality: settings.saveDataQuality)
    var negotiated = NegotiatedRequest(
      request: RenditionRequest(source: source, options: hinted.options, format: options.format),
      varied: hinted.varied, isSigned: isSigned)
    if options.format == nil, !options.isRaw, options.placeholder == nil, !offered.isEmpty {
      negotiated.varied.insert(.accept)
      let formats = formats(accepting: head[.accept])
      (negotiated.request.format, negotiated.request.movingFormat) = (formats.format, formats.moving)
    }
    return negotiated
  }

  /// The same for what is told of an image, in which the client has no choice.
  ///
  /// - Parameter expires: seconds since 1970 after which the URL is refused.
  package func negotiateFacts(source: URL, expires: Int?, isSigned: Bool) -> NegotiatedRequest {
    var request = RenditionRequest.facts(of: source)
    request.options.expires = expires
    return NegotiatedRequest(request: request, isSigned: isSigned)
  }
}
