#if GTK
  import Foundation
  @testable import NukeGTK
  import NukeOrigin
  import NukeTesting
  import XCTest

  /// What failed is loaded once more, past what caches remember of it.
  final class RetryTests: XCTestCase {
    func testRetryAsksTheServerWhereTheCacheRemembersThatThereIsNoImage() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("retry-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let image = plain(.green, width: 20, height: 20).pngData() ?? Data()
        let isThere = Lock(false)
        let origin = try NukeOrigin { _ in
          isThere.withLock { $0 } ? .data(image, type: "image/png") : .status(404)
        }
        defer { origin.stop() }
        var loading = DataLoader.defaultConfiguration
        loading.urlCache = try HTTPCache(path: folder)
        let view = LazyImageView()
        let ending = Ending()
        view.options.pipeline = ImagePipeline(configuration: .init(dataLoader: DataLoader(configuration: loading)))
        view.onCompletion = ending.record
        window.show(view.widget)
        let url = origin.url("/a.png")
        view.url = url
        runLoop { ending.hasFailed }
        isThere.withLock { $0 = true }
        view.url = url
        runLoop { ending.results.count == 2 }
        XCTAssertTrue(ending.hasFailed)
        XCTAssertEqual(origin.log.requests.count, 1)
        // A widget that is taken away meanwhile asks the server as well when it is back.
        view.retry()
        window.show(nil)
        window.show(view.widget)
        runLoop { ending.image != nil }
        XCTAssertEqual(view.request?.options, [])
        let count = origin.log.requests.count
        view.retry()
        runLoop { ending.results.count == 4 }
        XCTAssertEqual(origin.log.requests.count, count)
      }
    }

    func testRetryAsksCachesAloneWhereTheRequestSaysSo() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let loads = Loads()
        let view = LazyImageView()
        let ending = Ending()
        view.options = loads.options
        view.onCompletion = ending.record
        window.show(view.widget)
        view.request = ImageRequest(url: loads.answer("a", with: .green), options: [.returnCacheDataDontLoad])
        runLoop { ending.hasFailed }
        view.retry()
        runLoop { ending.results.count == 2 }
        XCTAssertTrue(ending.hasFailed)
        XCTAssertTrue(loads.loader.requests.isEmpty)
      }
    }
  }
#endif
