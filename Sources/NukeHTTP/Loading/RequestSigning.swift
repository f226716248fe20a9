/// The authorization of requests, which is computed from the fields that they are sent with. Its description has no
/// secrets, which must not be logged.
package enum RequestSigning: Sendable, Hashable {
  /// Amazon's Signature Version 4, which libcurl computes.
  case signatureV4(SignatureV4)
  /// Other header fields.
  case fields(RequestAuthorizer)
}

/// The parameters of a signature by Amazon's Signature Version 4.
package struct SignatureV4: Sendable, Hashable {
  package var accessKey: String
  package var secretKey: String
  package var region: String
  /// The service, such as `s3`.
  package var service: String

  package init(accessKey: String, secretKey: String, region: String, service: String) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.region = region
    self.service = service
  }
}

extension SignatureV4: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "\(service) in \(region) as \(accessKey)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["accessKey": accessKey, "region": region]) }
}

/// Computes the header fields that authorize a request. Each authorizer is equal only to itself.
package final class RequestAuthorizer: Sendable {
  package typealias Fields = [(name: String, value: String)]

  private let authorize: @Sendable (_ method: String, _ url: String, Fields) -> Fields

  /// - Parameter authorize: returns the fields to add to a request, from its method, its URL, and the fields that it is
  ///   sent with. Called on the loader's thread; must return soon.
  package init(_ authorize: @escaping @Sendable (_ method: String, _ url: String, Fields) -> Fields) {
    self.authorize = authorize
  }

  func fields(_ method: String, _ url: String, _ fields: Fields) -> Fields { authorize(method, url, fields) }
}

extension RequestAuthorizer: Hashable {
  package static func == (one: RequestAuthorizer, other: RequestAuthorizer) -> Bool { one === other }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
