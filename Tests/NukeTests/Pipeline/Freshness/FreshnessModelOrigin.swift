import Foundation
import FoundationNetworking
import Nuke
import NukeHTTPCaching
import NukeTesting

/// The server of a ``FreshnessModel``, as a transport. The image of version `n` is `10 + n` pixels wide.
final class FreshnessModelOrigin: HTTPTransport {
  static let url = imageURL("model.png")

  private let state = Lock(FreshnessModel.Server())
  private let requests = Lock<[String?]>([])
  private let isAsked = Lock(false)

  /// The time of the model's 0, in seconds since 1970.
  static let start: Int64 = 1_790_000_000

  private static let versions = 1...40
  private static let images = versions.map { SampleImage.png(width: 10 + $0, height: 2) }
  private static let dates = versions.map {
    CacheClock(seconds: start + Int64(FreshnessModel.Server.firstDate + $0)).date()
  }

  func set(_ server: FreshnessModel.Server) { state.withLock { $0 = server } }

  /// Returns the conditions of the requests since the last call, as the model names them.
  func takeRequests() -> [String?] { requests.withLock { exchange(&$0, with: []) } }

  static func version(_ width: Int) -> Int { width - 10 }

  /// The version of a PNG file, whose header has the width.
  static func version(_ data: Data) -> Int { version(data.dropFirst(16).prefix(4).reduce(0) { $0 << 8 | Int($1) }) }

  static func text(_ control: FreshnessModel.Control) -> String {
    var directives: [String] = []
    if let seconds = control.maxAge { directives.append("max-age=\(seconds)") }
    if let seconds = control.staleWhileRevalidate { directives.append("stale-while-revalidate=\(seconds)") }
    if let seconds = control.staleIfError { directives.append("stale-if-error=\(seconds)") }
    if control.mustRevalidate { directives.append("must-revalidate") }
    if control.noCache { directives.append("no-cache") }
    if control.noStore { directives.append("no-store") }
    if control.immutable { directives.append("immutable") }
    return directives.joined(separator: ", ")
  }

  // MARK: HTTPTransport

  var canConnect: Bool { true }

  func schedule(after seconds: TimeInterval, _ body: @escaping @Sendable () -> Void) {
    preconditionFailure("nothing is tried again")
  }

  /// Processes images, one after the other, and then answers: a stale image is shown first.
  let queue = TaskQueue(maxConcurrentOperationCount: 1)

  /// Returns when all requests so far have been answered.
  func answered() async {
    if isAsked.withLock({ exchange(&$0, with: false) }) { for _ in 0...Self.longestChain { await queue.reached() } }
  }

  private static let longestChain = 2

  func start(_ outgoing: OutgoingRequest, observer: any StreamObserver) -> any Transfer {
    isAsked.withLock { $0 = true }
    answer(outgoing, observer, after: Self.longestChain)
    return ModelTransfer()
  }

  /// Each processor of a chain is queued when the one before has finished.
  private func answer(_ outgoing: OutgoingRequest, _ observer: any StreamObserver, after count: Int) {
    if count == 0 { return answer(outgoing, observer) }
    queue.run { [self] in answer(outgoing, observer, after: count - 1) }
  }

  private func answer(_ outgoing: OutgoingRequest, _ observer: any StreamObserver) {
    let server = state.withLock { $0 }
    let condition = Self.condition(of: outgoing.request)
    requests.withLock { $0.append(condition) }
    guard let (status, fields, body) = Self.response(to: condition, server) else {
      return observer.didFinish(DataLoader.TransferError.cannotConnect(host: "a.test", reason: "it refuses"))
    }
    let length = status == 304 ? nil : body.count
    let head = ResponseHead(url: Self.url, status: status, expectedLength: length, fields: fields)
    if let error = outgoing.acceptance.refusal(of: head, to: outgoing.request) {
      observer.didRefuse(head)
      return observer.didFinish(error)
    }
    observer.didReceive(head)
    if !body.isEmpty { body.withUnsafeBytes { observer.didReceive($0) } }
    observer.didFinish(nil)
  }

  /// RFC 9110 §13.2.2: a tag counts more than a date.
  private static func condition(of request: URLRequest) -> String? {
    if let tag = request.value(forHTTPHeaderField: "If-None-Match") { return "tag \(tag.filter(\.isNumber))" }
    return request.value(forHTTPHeaderField: "If-Modified-Since").map { date in
      "date \(versions.first { dates[$0 - 1] == date } ?? 0)"
    }
  }

  private static func response(
    to condition: String?, _ server: FreshnessModel.Server
  ) -> (status: Int, fields: HTTPFields, body: Data)? {
    var fields = HTTPFields()
    switch server.state {
    case .unreachable: return nil
    case .refusing(let status):
      fields.append("Cache-Control", "no-store")
      return (status, fields, Data("no".utf8))
    case .working: break
    }
    let control = text(server.control)
    if !control.isEmpty { fields.append("Cache-Control", control) }
    var current: String?
    switch server.validator {
    case .none: break
    case .tag:
      fields.append("ETag", "\"\(server.version)\"")
      current = "tag \(server.version)"
    case .date:
      fields.append("Last-Modified", dates[server.version - 1])
      current = "date \(server.version)"
    }
    if let current, current == condition { return (304, fields, Data()) }
    let body = images[server.version - 1]
    fields.append("Content-Length", "\(body.count)")
    return (200, fields, body)
  }
}

/// A transfer that is over.
private final class ModelTransfer: Transfer {
  func cancel() {}
  func pause() {}
  func resume() {}
}

/// A loader with that server, and with an HTTP cache or without one.
final class FreshnessModelLoader: StreamingDataLoading {
  private let dispatcher: RequestDispatcher
  private let configuration: DataLoader.Configuration

  init(_ origin: FreshnessModelOrigin, _ cache: HTTPCache?) {
    var configuration = DataLoader.Configuration()
    configuration.urlCache = cache
    self.configuration = configuration
    dispatcher = RequestDispatcher(origin, configuration: configuration, policy: nil, acceptance: .successful)
  }

  func stream(_ request: URLRequest, limit: Int?, observer: any StreamObserver) -> any Transfer {
    dispatcher.stream(request, limit: limit, observer: observer)
  }

  func configuration(for url: URL) -> DataLoader.Configuration? { configuration }
}
