import Foundation
import Nuke
import NukeLoaderSuite
import NukeOrigin
import Testing

@testable import NukeS3

/// A store on loopback that answers by script, and refuses with 403 what is not signed rightly.
struct SigningOrigin {
  static let credentials = S3Credentials(accessKey: "AKIDEXAMPLE", secretKey: "wJal:rXUtn/FEMI+K7MDENG=")

  let origin: NukeOrigin
  let endpoint: S3Endpoint

  init(
    in origins: Origins, sessionToken: String? = nil,
    _ respond: @escaping @Sendable (NukeOrigin.Request) -> NukeOrigin.Response
  ) throws {
    let signature = Signature(
      credentials: (Self.credentials.accessKey, Self.credentials.secretKey), region: "eu-central-1")
    origin = try origins.start { request in
      if let objection = signature.objection(to: request) {
        Issue.record("\(request.method) \(request.path)?\(request.query ?? ""): \(objection)")
        return .status(403)
      }
      return respond(request)
    }
    var credentials = Self.credentials
    credentials.sessionToken = sessionToken
    endpoint = S3Endpoint(url: origin.url(""), region: "eu-central-1", credentials: credentials)
  }
}
