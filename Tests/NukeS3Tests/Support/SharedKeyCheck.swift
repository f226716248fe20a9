import Foundation
import NukeOrigin

/// Checks a request as Azure Blob Storage does: by the Azure Storage REST API, "Authorize with Shared Key".
struct SharedKeyCheck {
  let account: String
  let key: [UInt8]

  /// The reason why the signature of a request does not hold; `nil` if it does.
  func objection(to request: NukeOrigin.Request) -> String? {
    guard let authorization = request.header("Authorization") else { return "it is not signed" }
    guard request.header("x-ms-date")?.hasSuffix(" GMT") == true, request.header("x-ms-version") != nil else {
      return "the date or the version is missing"
    }
    func line(_ name: String) -> String { request.header(name) ?? "" }
    var text = "\(request.method)\n"
    text += "\(line("Content-Encoding"))\n\(line("Content-Language"))\n\(line("Content-Length"))\n"
    text += "\(line("Content-MD5"))\n\(line("Content-Type"))\n\(line("Date"))\n\(line("If-Modified-Since"))\n"
    text += "\(line("If-Match"))\n\(line("If-None-Match"))\n\(line("If-Unmodified-Since"))\n\(line("Range"))\n"
    text += "x-ms-date:\(line("x-ms-date"))\nx-ms-version:\(line("x-ms-version"))\n/\(account)\(request.path)"
    let expected = Data(SHA256.hmac(Array(text.utf8), key: key)).base64EncodedString()
    return authorization == "SharedKey \(account):\(expected)" ? nil : "the signature is not \(expected) of\n\(text)"
  }
}
