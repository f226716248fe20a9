import FlyingFox
import Foundation
import Nuke

/// A gateway in front of an origin. It loads each request with a ``DataLoader`` that has an HTTP cache, so that test
/// suites for HTTP caches can test ours.
///
///     CacheBridge PORT ORIGIN FOLDER
@main
struct CacheBridge {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 3, let port = UInt16(arguments[1]), let origin = URL(string: arguments[2]) else {
      FileHandle.standardError.write(Data("usage: CacheBridge PORT ORIGIN FOLDER\n".utf8))
      exit(2)
    }
    let gateway = try Gateway(origin: origin, folder: URL(fileURLWithPath: arguments[3], isDirectory: true))
    let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: port))
    // The server itself responds to methods that no route handles.
    let methods = HTTPMethod.allMethods.union([HTTPMethod("M-SEARCH")])
    await server.appendRoute(HTTPRoute(methods: methods, path: "*"), to: gateway)
    try await server.run()
  }
}

private struct Gateway: HTTPHandler {
  private let origin: URL
  private let configuration: DataLoader.Configuration

  init(origin: URL, folder: URL) throws {
    self.origin = origin
    var configuration = DataLoader.Configuration()
    configuration.urlCache = try HTTPCache(path: folder)
    configuration.userAgent = nil
    self.configuration = configuration
  }

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard let url = URL(string: request.target.rawValue, relativeTo: origin)?.absoluteURL else {
      return HTTPResponse(statusCode: .badRequest)
    }
    var forwarded = URLRequest(url: url)
    forwarded.httpMethod = request.method.rawValue
    for (name, value) in request.headers where !Self.isOfConnection(name.rawValue) {
      forwarded.addValue(value, forHTTPHeaderField: name.rawValue)
    }
    let body = try await request.bodyData
    if !body.isEmpty { forwarded.httpBody = body }

    let answer = await load(forwarded)
    guard let head = answer.head, answer.error == nil else {
      return HTTPResponse(statusCode: .gatewayTimeout, headers: [HTTPHeader("Bridge-Error"): answer.error ?? "no head"])
    }
    var headers = HTTPHeaders()
    for case (let name as String, let value as String) in head.allHeaderFields where !Self.isOfConnection(name) {
      headers[HTTPHeader(name)] = value
    }
    return HTTPResponse(
      statusCode: HTTPStatusCode(head.statusCode, phrase: "-"), headers: headers, body: answer.body)
  }

  private struct Answer: Sendable {
    var head: HTTPURLResponse?
    var body = Data()
    var error: String?
  }

  private func load(_ request: URLRequest) async -> Answer {
    await withCheckedContinuation { continuation in
      let received = Received()
      // A loader for each request, because only `validate` receives a response without a body. The loaders share their
      // connections and the cache.
      let loader = DataLoader(configuration: configuration) { response in
        received.answer.head = response as? HTTPURLResponse
        return nil
      }
      _ = loader.loadData(with: request) { data, _ in
        received.answer.body.append(data)
      } completion: { error in
        received.answer.error = error.map { "\($0)" }
        continuation.resume(returning: received.answer)
      }
    }
  }

  /// Filled by the calls of a transfer, which do not overlap.
  private final class Received: @unchecked Sendable { var answer = Answer() }

  /// Fields that apply to one connection (RFC 9110 §7.6.1), or that the sender adds.
  private static func isOfConnection(_ name: String) -> Bool {
    ["connection", "content-length", "expect", "host", "keep-alive", "te", "transfer-encoding", "upgrade"].contains(
      name.lowercased())
  }
}
