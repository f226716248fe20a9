/// The parameters for signing requests with Amazon's Signature Version 4, which libcurl computes.
package struct RequestSigning: Sendable, Hashable {
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

extension RequestSigning: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A description without the secret, which must not be logged.
  package var description: String { "\(service) in \(region) as \(accessKey)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["accessKey": accessKey, "region": region]) }
}
