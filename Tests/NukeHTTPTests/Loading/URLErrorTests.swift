import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import NukeTesting
import Testing

@Suite("Loading errors for programs", .timeLimit(.minutes(1)))
struct URLErrorTests {
  private static let documented: [(DataLoader.TransferError, URLError.Code)] = [
    (.cannotResolveHost("a"), .cannotFindHost), (.cannotConnect(host: "a", reason: "r"), .cannotConnectToHost),
    (.addressNotAllowed(host: "a", address: "::1"), .cannotConnectToHost), (.hostNotAllowed("a"), .cannotConnectToHost),
    (.connectionLost(host: "a", reason: "r"), .networkConnectionLost),
    (.timedOut(.connect, host: "a", seconds: 1), .timedOut), (.timedOut(.idle, host: "a", seconds: 1), .timedOut),
    (.timedOut(.resource, host: "a", seconds: 1), .timedOut), (.tooManyRedirects(limit: 1), .httpTooManyRedirects),
    (.insecureRedirect(host: "a"), .appTransportSecurityRequiresSecureConnection),
    (.tlsFailed(host: "a", reason: "r"), .secureConnectionFailed),
    (.certificateNotTrusted(host: "a", reason: "r"), .serverCertificateUntrusted),
    (.unsupportedScheme("x"), .unsupportedURL), (.malformedURL("x"), .badURL),
    (.malformedRequest(reason: "r"), .badURL),
    (.malformedDataURL(reason: "r"), .badURL), (.fileNotFound(path: "/a"), .fileDoesNotExist),
    (.fileNotReadable(path: "/a", reason: "r"), .noPermissionsToReadFile), (.isDirectory(path: "/a"), .fileIsDirectory),
    (.bodyTooLarge(limit: 1), .dataLengthExceedsMaximum), (.protocolError(host: "a", reason: "r"), .badServerResponse),
    (.contentNotDecodable(host: "a", reason: "r"), .cannotDecodeContentData), (.cancelled, .cancelled),
  ]

  private let refused = URL(string: "http://127.0.0.1:1/a.png")!
  private let origins = Origins()

  private func outcome(of url: URL, by loader: DataLoader) async -> (any Error)? {
    await withCheckedContinuation { continuation in
      _ = loader.loadData(with: URLRequest(url: url), didReceiveData: { _, _ in }) {
        continuation.resume(returning: $0)
      }
    }
  }

  private func failure(of request: ImageRequest, on pipeline: ImagePipeline) async -> (any Error)? {
    do throws(ImagePipeline.Error) {
      _ = try await pipeline.image(for: request)
      return nil
    } catch {
      return error.dataLoadingError
    }
  }

  @Test("Errors have the documented code, the underlying error, and a sentence", arguments: documented)
  func codes(_ detail: DataLoader.TransferError, _ code: URLError.Code) {
    let error = detail.urlError(for: refused)
    #expect(error.code == code)
    #expect(error.failingURL == refused)
    #expect(error.localizedDescription == detail.description)
    #expect(error.userInfo[NSUnderlyingErrorKey] as? DataLoader.TransferError == detail)
  }

  @Test("A loader's completion and a pipeline report a URLError")
  func connections() async throws {
    for error in [
      await outcome(of: refused, by: makeLoader()),
      await failure(of: ImageRequest(url: refused), on: .fake(loader: makeLoader())),
    ] {
      let error = try #require(error as? URLError)
      #expect(error.code == .cannotConnectToHost)
      #expect(error.failingURL == refused)
      #expect(
        error.userInfo[NSUnderlyingErrorKey] as? DataLoader.TransferError
          == .cannotConnect(host: "127.0.0.1", reason: "Connection refused"))
    }
  }

  /// A failure of the network that a pipeline meets.
  enum NetworkFailure: CaseIterable {
    case refusedConnection, unknownHost, lostConnection, silentServer, invalidResponse

    var code: URLError.Code {
      switch self {
      case .refusedConnection: .cannotConnectToHost
      case .unknownHost: .cannotFindHost
      case .lostConnection: .networkConnectionLost
      case .silentServer: .timedOut
      case .invalidResponse: .badServerResponse
      }
    }

    func respond() -> NukeOrigin.Response {
      switch self {
      case .refusedConnection, .unknownHost: .status(200)
      case .lostConnection: .data(SampleImage.png(width: 20, height: 10)).scripted(.head, .bytes(20), .close)
      case .silentServer: NukeOrigin.Response().scripted(.stall)
      case .invalidResponse: .garbage()
      }
    }
  }

  @Test(
    "A load from a failing network throws the URLError with the code of the failure", arguments: NetworkFailure.allCases
  )
  func network(_ networkFailure: NetworkFailure) async throws {
    let (origin, port) = (try NukeOrigin { _ in networkFailure.respond() }, try RefusingPort())
    defer { origin.stop() }
    let url =
      switch networkFailure {
      case .refusedConnection: port.url("/a.png")
      // RFC 6761 §6.4: no name ends in "invalid".
      case .unknownHost: URL(string: "http://images.invalid/a.png")!
      case .lostConnection, .silentServer, .invalidResponse: origin.url("/a.png")
      }
    var urlRequest = URLRequest(url: url)
    if networkFailure == .silentServer { urlRequest.timeoutInterval = 0.2 }
    let thrown = await failure(of: ImageRequest(urlRequest: urlRequest), on: .fake(loader: makeLoader()))
    withExtendedLifetime(port) {}
    let error = try #require(thrown as? URLError)
    #expect(error.code == networkFailure.code)
    #expect(error.failingURL == url)
    #expect(error.userInfo[NSUnderlyingErrorKey] is DataLoader.TransferError)
  }

  @Test("A load with a status outside 200…299 throws the error of the loader with that status", arguments: [404, 503])
  func statusOfALoad(status: Int) async throws {
    let origin = try origins.start { _ in .status(status) }
    let error = await failure(of: ImageRequest(url: origin.url("/a.png")), on: .fake(loader: makeLoader()))
    #expect(error as? DataLoader.Error == .statusCodeUnacceptable(status))
  }

  @Test("A missing file is a URLError, from a loader and from a pipeline")
  func files() async {
    let url = URL(fileURLWithPath: "/nonexistent/a.png")
    #expect((await outcome(of: url, by: makeLoader()) as? URLError)?.code == .fileDoesNotExist)
    let pipeline = ImagePipeline.fake(loader: makeLoader())
    #expect((await failure(of: ImageRequest(url: url), on: pipeline) as? URLError)?.code == .fileDoesNotExist)
  }

  @Test("A canceled transfer is a URLError")
  func cancellation() async throws {
    let origin = try origins.start { _ in NukeOrigin.Response().scripted(.stall) }
    let error: (any Error)? = await withCheckedContinuation { continuation in
      makeLoader().loadData(with: URLRequest(url: origin.url("/")), didReceiveData: { _, _ in }) {
        continuation.resume(returning: $0)
      }.cancel()
    }
    #expect((error as? URLError)?.code == .cancelled)
  }

  @Test("A status outside 200…299 is an error with that status")
  func status() async throws {
    let origin = try origins.start { _ in .status(404) }
    let error = try #require(await outcome(of: origin.url("/"), by: makeLoader()) as? DataLoader.Error)
    switch error {
    case .statusCodeUnacceptable(let status): #expect(status == 404)
    }
  }

  @Test("A request without a URL is a bad URL")
  func noURL() async {
    let pipeline = ImagePipeline.fake(loader: FakeDataLoader())
    #expect((await failure(of: ImageRequest(url: nil), on: pipeline) as? URLError)?.code == .badURL)
  }

  @Test("Decisions depend on the underlying error, or on the code of a program's own error")
  func decisions() {
    func isTransient(_ error: any Error) -> Bool { RetryPolicy.isTransient(.dataLoadingFailed(error: error)) }
    for (detail, _) in Self.documented {
      #expect(isTransient(detail) == isTransient(detail.urlError(for: refused)), "\(detail)")
    }
    #expect(!isTransient(DataLoader.TransferError.addressNotAllowed(host: "a", address: "::1").urlError(for: nil)))
    #expect(isTransient(URLError(.cannotConnectToHost)))
  }

  @Test("A custom retry policy receives a URLError")
  func retryPolicy() async {
    let seen = Lock<[URLError.Code?]>([])
    var policy = RetryPolicy(maxRetryCount: 1, initialDelay: 0)
    policy.isWorthRetrying = { error in
      seen.withLock { $0.append((error.dataLoadingError as? URLError)?.code) }
      return false
    }
    _ = await outcome(of: refused, by: DataLoader(configuration: DataLoader.Configuration(), retryPolicy: policy))
    #expect(seen.withLock { $0 } == [.cannotConnectToHost])
  }
}
