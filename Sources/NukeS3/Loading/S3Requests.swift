import Foundation
import FoundationNetworking
import Nuke

/// Creates requests in the form that libcurl signs correctly, and that other services accept.
///
/// The signature covers the URL in canonical form (Amazon S3 API reference, "Authenticating requests"). In paths and
/// queries, everything except letters, digits and `-._~` is escaped, and queries are sorted by name. libcurl 7.88 signs
/// both as given.
struct S3Requests: Sendable {
  private let endpoint: S3Endpoint

  init(_ endpoint: S3Endpoint) { self.endpoint = endpoint }

  /// Returns the configuration of the loader. Redirects are disabled, because the signature is not valid for another
  /// URL.
  ///
  /// - Parameter credentials: the credentials that sign the requests; `nil` for unsigned requests.
  func configuration(
    _ configuration: DataLoader.Configuration, signedWith credentials: S3Credentials?
  ) -> DataLoader.Configuration {
    var configuration = configuration
    configuration.signing = credentials.map { endpoint.service.signing(with: $0, region: endpoint.region) }
    configuration.additionalHeaders = [:]
    configuration.maximumRedirects = 0
    configuration.isLocalResourcesSupportEnabled = false
    return configuration
  }

  /// Returns a request without a session token, which is added when it is sent.
  ///
  /// - Parameters:
  ///   - key: the object's key; `nil` for the bucket itself.
  ///   - query: the unescaped query items.
  func request(
    _ method: String, bucket: String, key: String?, query: [String: String] = [:]
  ) throws(DataLoader.TransferError) -> URLRequest {
    let text = try text(bucket: bucket, key: key, query: query)
    guard let url = URL(string: text) else { throw .malformedURL(text) }
    var request = URLRequest(url: url)
    request.httpMethod = method
    guard endpoint.credentials != .anonymous, endpoint.service == .amazonS3 else { return request }
    // The field states which hash of the body is signed: none for an upload, otherwise that of an empty body.
    request.setValue(
      method == "PUT" ? "UNSIGNED-PAYLOAD" : Self.hashOfNothing, forHTTPHeaderField: "x-amz-content-sha256")
    return request
  }

  /// The SHA-256 of no bytes.
  private static let hashOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  private func text(bucket: String, key: String?, query: [String: String]) throws(DataLoader.TransferError) -> String {
    guard Self.isBucket(bucket) else { throw .malformedURL("\(endpoint.service.scheme)://\(bucket)/") }
    var text = endpoint.url.absoluteString
    guard let start = text.range(of: "://")?.upperBound, !text.contains("?"), !text.contains("#"), !text.contains("@")
    else { throw .malformedURL(text) }
    while text.hasSuffix("/") { text.removeLast() }
    if endpoint.addressing == .virtualHost, !bucket.contains(".") {
      text.insert(contentsOf: "\(bucket).", at: start)
    } else {
      text += "/\(bucket)"
    }
    if let key {
      // libcurl and servers would interpret these components as relative paths.
      let components = key.utf8.split(separator: UInt8(ascii: "/"))
      guard !key.isEmpty, components.allSatisfy({ !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }) else {
        throw .malformedURL("\(endpoint.service.scheme)://\(bucket)/\(key)")
      }
      text += "/" + Self.escaped(key, keepsSlashes: true)
    } else if endpoint.addressing == .virtualHost, !bucket.contains(".") {
      text += "/"
    }
    guard !query.isEmpty else { return text }
    return text + "?"
      + query.sorted { $0.key < $1.key }
      .map { "\(Self.escaped($0.key))=\(Self.escaped($0.value))" }.joined(separator: "&")
  }

  static func isBucket(_ name: String) -> Bool {
    (1...255).contains(name.utf8.count) && name != "." && name != ".."
      && name.utf8.allSatisfy { isPlain($0) && $0 != UInt8(ascii: "~") }
  }

  /// Percent-encodes everything except letters, digits and `-._~`.
  static func escaped(_ text: String, keepsSlashes: Bool = false) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isPlain(byte) || keepsSlashes && byte == UInt8(ascii: "/") {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "-._~".utf8.contains(byte)
  }
}
