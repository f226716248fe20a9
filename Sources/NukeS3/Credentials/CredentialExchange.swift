import Foundation
import FoundationNetworking
import Nuke

/// Sends requests to the service of a source. The errors name the source, and contain nothing of the request.
struct CredentialExchange: Sendable {
  /// Sends a request, and blocks until the response arrives.
  typealias Send = @Sendable (URLRequest, RequestSigning?) throws -> (status: Int, body: Data)

  /// The maximum size of a response and of a token file, in bytes.
  static let byteLimit = 64 << 10

  let source: S3CredentialProvider.Source
  let send: Send
  /// The current date.
  let date: Date

  /// Returns the default way to send requests: without redirects, and with limits for the time and the response.
  static func sending(to source: S3CredentialProvider.Source) -> Send {
    var configuration = DataLoader.Configuration()
    configuration.connectTimeout = 2
    configuration.resourceTimeout = 5
    configuration.maximumRedirects = 0
    configuration.isLocalResourcesSupportEnabled = false
    // The other services have addresses of this machine, and a proxy would return its own credentials.
    if !source.isRemote { configuration.proxy = .none }
    return { [configuration] request, signing in
      var configuration = configuration
      configuration.signing = signing
      // Each request has its own loader, because refreshes are rare and a loader keeps a thread.
      let loader = DataLoader(configuration: configuration) { _ in nil }
      let response = try S3Exchange.perform(request, by: loader, limit: byteLimit).get()
      return (response.head.status ?? 0, response.body)
    }
  }

  /// Returns the body of a successful response.
  func body(
    of request: URLRequest, signedWith signing: RequestSigning? = nil
  ) throws(S3CredentialProvider.Error) -> Data {
    var request = request
    request.setValue("*/*", forHTTPHeaderField: "Accept")
    let response: (status: Int, body: Data)
    do {
      response = try send(request, signing)
    } catch {
      throw .unavailable(source, reason: error.reason)
    }
    guard (200..<300).contains(response.status) else {
      let code = XMLElements(response.body)["Code"].first ?? AccessToken.errorCode(in: response.body)
      throw .refused(source, status: response.status, code: code.flatMap(Self.printable))
    }
    return response.body
  }

  /// Returns an error code of a service, or `nil` for any other text. Only codes are reported, because messages may
  /// repeat the token of the request.
  static func printable(_ code: String) -> String? {
    let isCode =
      (1...64).contains(code.utf8.count)
      && code.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 == UInt8(ascii: "_") }
    return isCode ? code : nil
  }

  /// Creates the address of a service.
  static func url(_ text: String, of variable: String) throws(S3CredentialProvider.Error) -> URL {
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false
    else {
      throw .invalidVariable(variable, reason: "\(text.debugDescription) is not an HTTP address")
    }
    return url
  }

  /// Returns a request with a form in its body.
  static func form(_ url: URL, _ items: [(name: String, value: String)]) -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(items.map { "\($0)=\(S3Requests.escaped($1))" }.joined(separator: "&").utf8)
    return request
  }

  /// Returns the text of a token file without the white space around it.
  static func token(at path: String, of variable: String) throws(S3CredentialProvider.Error) -> String {
    guard let data = try? FileHandle(forReadingAtPath: path)?.read(upToCount: byteLimit + 1), data.count <= byteLimit,
      let text = String(data: data, encoding: .utf8)?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty
    else { throw .unreadableFile(path: path, variable: variable) }
    return text
  }
}
