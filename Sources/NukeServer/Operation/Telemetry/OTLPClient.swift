#if Server
  import Dispatch
  import Foundation
  import FoundationNetworking
  import Nuke
  import NukeBase
  import NukeHTTP

  /// Sends messages to an OpenTelemetry collector (OTLP/HTTP).
  final class OTLPClient: Sendable {
    struct Reply: Sendable {
      var outcome: ExportSchedule.Outcome
      /// The reason why spans or metrics were not accepted; `nil` if all were.
      var problem: String?
    }

    /// The maximum size of a response in bytes.
    private static let responseLimit = 64 << 10

    private let endpoint: URL
    private let loader: DataLoader
    private let headers: [String: String]
    private let current = Lock<(transfer: (any Transfer)?, isCanceled: Bool)>((nil, false))

    /// - Parameters:
    ///   - endpoint: the URL to which `/v1/traces` and `/v1/metrics` are appended.
    ///   - headers: fields to add to each request.
    ///   - timeLimit: the time limit for a request, in seconds.
    init(endpoint: URL, headers: [String: String], timeLimit: Double) {
      self.endpoint = endpoint
      self.headers = headers
      var loading = DataLoader.Configuration()
      loading.connectTimeout = timeLimit / 2
      loading.idleTimeout = timeLimit
      loading.resourceTimeout = timeLimit
      loading.maximumConnectionsPerHost = 1
      loading.maximumRedirects = 0
      loading.isLocalResourcesSupportEnabled = false
      loading.userAgent = "nuke/\(PackageVersion.current)"
      loader = DataLoader(configuration: loading) { _ in nil }
    }

    /// Sends a message, and blocks until the collector has answered.
    ///
    /// - Parameter path: the path of the signal, such as `v1/traces`.
    func send(_ message: some Encodable, to path: String) -> Reply {
      let encoder = JSONEncoder()
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
      guard let body = try? encoder.encode(message) else {
        return Reply(outcome: .refused, problem: "The message cannot be encoded as JSON.")
      }
      var request = URLRequest(url: endpoint.appendingPathComponent(path))
      request.httpMethod = "POST"
      request.httpBody = body
      for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
      for name in ["Accept", "Content-Type"] { request.setValue("application/json", forHTTPHeaderField: name) }
      let exchange = Exchange()
      let transfer = loader.stream(request, limit: Self.responseLimit, observer: exchange)
      let isCanceled = current.withLock { current in
        current.transfer = transfer
        return current.isCanceled
      }
      if isCanceled { transfer.cancel() }
      let result = exchange.result()
      // The transfer is released after the lock.
      _ = current.withLock { $0.transfer.take() }
      return Self.reply(to: result)
    }

    /// Ends the running request, and all later ones.
    func cancel() {
      let transfer = current.withLock { current in
        current.isCanceled = true
        return current.transfer
      }
      transfer?.cancel()
    }

    private static func reply(to result: Result<(head: ResponseHead, body: Data), any Error>) -> Reply {
      switch result {
      case .failure(let error): return Reply(outcome: .failed(retryAfter: nil), problem: "\(error)")
      case .success(let (head, body)):
        let status = head.status ?? 0
        if (200..<300).contains(status) {
          let partial = try? JSONDecoder().decode(Response.self, from: body).partialSuccess
          guard let partial, let rejected = partial.rejectedSpans?.number, rejected > 0 else {
            return Reply(outcome: .accepted())
          }
          let reason = partial.errorMessage.map { ": " + $0.prefix(200) } ?? "."
          return Reply(
            outcome: .accepted(rejected: rejected), problem: "The collector rejected \(rejected) spans\(reason)")
        }
        let problem = "The collector answered with status \(status)."
        guard [429, 502, 503, 504].contains(status) else { return Reply(outcome: .refused, problem: problem) }
        let seconds = RetryAfter.seconds(in: head, now: Int(Date().timeIntervalSince1970))
        return Reply(outcome: .failed(retryAfter: seconds), problem: problem)
      }
    }

    /// The response to an export that was accepted in part.
    private struct Response: Decodable {
      struct PartialSuccess: Decodable {
        var rejectedSpans: Count?
        var errorMessage: String?
      }

      /// A number, which is a string in the encoding of Protocol Buffers.
      struct Count: Decodable {
        let number: Int

        init(from decoder: any Decoder) throws {
          let container = try decoder.singleValueContainer()
          number = try (try? container.decode(Int.self)) ?? Int(container.decode(String.self)) ?? 0
        }
      }

      var partialSuccess: PartialSuccess?
    }
  }

  /// Waits for the response to a request.
  private final class Exchange: StreamObserver, @unchecked Sendable {
    // Written by the transfer, one call at a time, and read after the semaphore was signaled.
    private var head: ResponseHead?
    private var body = Data()
    private var error: (any Error)?
    private let done = DispatchSemaphore(value: 0)

    func didReceive(_ head: ResponseHead) { self.head = head }
    func didReceive(_ bytes: UnsafeRawBufferPointer) { body.append(contentsOf: bytes) }

    func didFinish(_ error: (any Error)?) {
      self.error = error
      done.signal()
    }

    /// Blocks until the response is complete.
    func result() -> Result<(head: ResponseHead, body: Data), any Error> {
      done.wait()
      guard let head, error == nil else { return .failure(error ?? DataLoader.TransferError.cancelled) }
      return .success((head, body))
    }
  }
#endif
