import Foundation
import NukeOrigin

/// Checks a request as a store does: by Amazon S3's API reference, "Authenticating Requests: Using the Authorization
/// Header (AWS Signature Version 4)".
struct Signature {
  let credentials: (accessKey: String, secretKey: String)
  let region: String
  var service = "s3"

  /// The reason why the signature of a request does not hold; `nil` if it does.
  func objection(to request: NukeOrigin.Request) -> String? {
    let scheme = "AWS4-HMAC-SHA256 "
    guard let field = request.header("Authorization"), field.hasPrefix(scheme) else { return "it is not signed" }
    var parts: [String: String] = [:]
    for part in field.dropFirst(scheme.count).components(separatedBy: ",") {
      let sides = part.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
      if sides.count == 2 { parts[String(sides[0])] = String(sides[1]) }
    }
    let hash = Self.hex(SHA256.hash(Array(request.body)))
    // Only S3 requires the field with the hash of the body.
    guard let date = request.header("X-Amz-Date"), let names = parts["SignedHeaders"]?.components(separatedBy: ";"),
      let payload = request.header("x-amz-content-sha256") ?? (service == "s3" ? nil : hash)
    else { return "what is signed, or when, is missing" }
    let scope = "\(date.prefix(8))/\(region)/\(service)/aws4_request"
    guard parts["Credential"] == "\(credentials.accessKey)/\(scope)" else {
      return "signed as \(parts["Credential"] ?? "")"
    }
    guard names == names.sorted(), names.contains("host") else { return "the names \(names) are not in order" }
    for (name, _) in request.headers where name.lowercased().hasPrefix("x-amz-") {
      guard names.contains(name.lowercased()) else { return "\(name) is not signed" }
    }
    guard payload == "UNSIGNED-PAYLOAD" || payload == hash else {
      return "the hash of the body is \(payload)"
    }
    var lines = [request.method, request.path, Self.sorted(request.query ?? "")]
    for name in names {
      guard let value = request.header(name) else { return "\(name) is signed and was not sent" }
      lines.append("\(name):\(value.split(separator: " ").joined(separator: " "))")
    }
    lines += ["", names.joined(separator: ";"), payload]
    let text = ["AWS4-HMAC-SHA256", date, scope, Self.hex(SHA256.hash(Array(lines.joined(separator: "\n").utf8)))]
    var key = Array("AWS4\(credentials.secretKey)".utf8)
    for part in [String(date.prefix(8)), region, service, "aws4_request"] {
      key = SHA256.hmac(Array(part.utf8), key: key)
    }
    let expected = Self.hex(SHA256.hmac(Array(text.joined(separator: "\n").utf8), key: key))
    return parts["Signature"] == expected
      ? nil : "the signature is not \(expected) of\n\(lines.joined(separator: "\n"))"
  }

  static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  private static func sorted(_ query: String) -> String {
    query.split(separator: "&").map { $0.contains("=") ? String($0) : "\($0)=" }.sorted().joined(separator: "&")
  }
}
