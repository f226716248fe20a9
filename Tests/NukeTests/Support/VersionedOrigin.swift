import Foundation
import FoundationNetworking
import Nuke
import NukeHTTPCaching
import NukeTesting

/// A server of one image in versions, which says how long it stays fresh and answers conditions, with a clock that only
/// tests move.
///
/// The image of version `n` is `10 + n` pixels wide.
final class VersionedOrigin: Sendable {
  /// How the loader tells that nothing has changed.
  enum Telling: CaseIterable, Sendable {
    /// By an empty part with the response.
    case response
    /// By the error that many loaders have for statuses they do not take.
    case error
    /// Not at all: it completes, and that is it.
    case nothing
  }

  struct State: Sendable {
    var version = 1
    var fields = ["Cache-Control": "max-age=60"]
    var telling = Telling.response
    var failure: (any Error)?
    var gate: Gate?
    var seconds = 1_700_000_000
    var isWrongAbout304 = false
  }

  let url = imageURL("versions.png")
  private let script = Script()
  let loader: FakeDataLoader

  init() { loader = FakeDataLoader { [script] in script.answer($0) } }

  /// Goes on as it says from now on.
  func set(_ change: (inout State) -> Void) { script.state.withLock { change(&$0) } }

  /// Lets time pass.
  func pass(seconds: Int) { set { $0.seconds += seconds } }

  var now: @Sendable () -> Timestamp {
    { [script] in Timestamp(seconds: script.state.withLock { $0.seconds }) }
  }

  /// What each request asked by, in order; `nil` for those without a condition.
  var asked: [String?] { script.asked.withLock { $0 } }

  static func width(of version: Int) -> Int { 10 + version }

  static func image(_ version: Int) -> Data { SampleImage.png(width: width(of: version), height: 10) }
}

private final class Script: Sendable {
  typealias State = VersionedOrigin.State
  let state = Lock(State())
  let asked = Lock<[String?]>([])

  func answer(_ request: URLRequest) -> FakeDataLoader.Answer {
    let state = state.withLock { $0 }
    let condition =
      request.value(forHTTPHeaderField: "If-None-Match") ?? request.value(forHTTPHeaderField: "If-Modified-Since")
    asked.withLock { $0.append(condition) }
    var answer = Self.full(request, state)
    if let failure = state.failure {
      answer = .failure(failure)
    } else if condition == "\"\(state.version)\"" || condition != nil && state.isWrongAbout304 {
      answer = Self.notModified(request, state)
    }
    return state.gate.map { answer.held(by: $0) } ?? answer
  }

  private static func full(_ request: URLRequest, _ state: State) -> FakeDataLoader.Answer {
    let data = VersionedOrigin.image(state.version)
    let fields = self.fields(state).merging(["Content-Length": "\(data.count)"]) { $1 }
    let response = HTTPURLResponse(url: request.url!, statusCode: 200, httpVersion: nil, headerFields: fields)
    return .data(data, response: response)
  }

  private static func notModified(_ request: URLRequest, _ state: State) -> FakeDataLoader.Answer {
    switch state.telling {
    case .nothing: return .init([.complete(nil)])
    case .error: return .failure(DataLoader.Error.statusCodeUnacceptable(304))
    case .response:
      let response = HTTPURLResponse(
        url: request.url!, statusCode: 304, httpVersion: nil, headerFields: fields(state))
      return .init([.chunk(Data()), .complete(nil)], response: response)
    }
  }

  private static func fields(_ state: State) -> [String: String] {
    var fields = state.fields
    fields["ETag"] = state.isWrongAbout304 ? "\"other\"" : "\"\(state.version)\""
    return fields
  }
}

extension VersionedOrigin {
  /// A pipeline that loads from here and goes by this clock.
  func pipeline(
    _ policy: ImagePipeline.FreshnessPolicy = .respect, cache: (any DataCaching)? = nil,
    storing: ImagePipeline.DataCachePolicy = .storeAll, imageCache: FakeImageCache? = nil,
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    .fake(loader: loader, imageCache: imageCache) {
      $0.freshnessPolicy = policy
      $0.dataCache = cache
      $0.dataCachePolicy = storing
      $0.now = now
      configure(&$0)
    }
  }

  func request(_ processors: FakeProcessor..., options: ImageRequest.Options = []) -> ImageRequest {
    ImageRequest(url: url, processors: processors, options: options)
  }
}
