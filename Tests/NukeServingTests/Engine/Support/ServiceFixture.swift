import Foundation
import FoundationNetworking
import Nuke
import NukeTesting

@testable import NukeServing

/// A service on fakes: no network, no disk, no time of its own.
struct ServiceFixture {
  let clock = FakeClock()
  let loader: FakeDataLoader
  let renderer: FakeRenderer
  let service: RenditionService

  static let source = URL(string: "https://images.example/a.jpg")!

  init(
    loader: FakeDataLoader = FakeDataLoader(), renderer: FakeRenderer = FakeRenderer(), stores: [any DataCaching] = [],
    leasing: (any DataLeasing)? = nil, purges: PurgeStore? = nil,
    _ configure: (inout ServiceConfiguration) -> Void = { _ in }
  ) {
    var configuration = ServiceConfiguration()
    configuration.memoryLimit = 1 << 20
    configuration.decodeBudget = 1 << 20
    configuration.maximumRunning = 4
    configure(&configuration)
    self.loader = loader
    self.renderer = renderer
    service = RenditionService(
      pipeline: .fake(loader: loader, imageCache: nil) { $0.dataLoadingQueue.maxConcurrentOperationCount = 100 },
      renderer: renderer, stores: stores, leasing: leasing, purges: purges, configuration: configuration,
      clock: clock.clock, pressure: MemoryPressure { _ in })
  }

  /// A request for the source so many pixels wide.
  static func request(width: Int = 100, _ source: URL = source) -> RenditionRequest {
    var request = RenditionRequest(source: source, format: .webp)
    request.options.width = width
    return request
  }

  func answer(_ body: String, _ fields: [String: String] = [:], at source: URL = source) {
    loader.answer(source, with: .source(body, fields, at: source))
  }

  /// Returns the result of a request.
  func result(_ request: RenditionRequest = request()) async -> Result<Rendition, ServingError> {
    do throws(ServingError) {
      return .success(try await service.rendition(for: request))
    } catch {
      return .failure(error)
    }
  }

  func start(_ request: RenditionRequest = request()) -> Task<Result<Rendition, ServingError>, Never> {
    Task { await result(request) }
  }

  /// Returns when `count` requests wait for a response.
  func requests(count: Int) async throws {
    try await waitUntil { service.statistics.requests >= count }
  }

  /// Advances the clock in small steps until `task` ends, and returns its result. Cancels `task` with the test, since the
  /// clock would run for ever beside a request that never ends.
  func advancing(
    _ task: Task<Result<Rendition, ServingError>, Never>
  ) async -> Result<Rendition, ServingError> {
    let moving = Task {
      while !Task.isCancelled {
        clock.advance(seconds: 0.01)
        await Task.yield()
      }
    }
    defer { moving.cancel() }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Returns when no work is left, including writes to stores.
  func settled() async { _ = await service.pending.allDone().value }
}

extension FakeDataLoader.Answer {
  /// The answer of a source, with this body and these fields.
  static func source(_ body: String, _ fields: [String: String] = [:], at source: URL = ServiceFixture.source) -> Self {
    .data(
      Data(body.utf8),
      response: HTTPURLResponse(url: source, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields))
  }
}

extension Rendition {
  var text: String { String(decoding: data, as: UTF8.self) }
}

extension Result where Success == Rendition, Failure == ServingError {
  var error: ServingError? {
    if case .failure(let error) = self { error } else { nil }
  }
}
