import Foundation
import FoundationNetworking
import Nuke
import NukeTesting
import Testing

extension DelegateTests {
  @Test("The delegate can replace the request")
  func willLoadData() async throws {
    let pipeline = pipeline(HookedDelegate(setting: "token", for: "Authorization"))
    _ = try await pipeline.image(for: url)
    #expect(loader.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == ["token"])
    #expect(disk.writes == [key])
  }

  @Test("An error of the delegate fails the load, and the next load gets its slot")
  func willLoadDataThrows() async throws {
    struct NoToken: Error {}
    let pipeline = hooked({ $0.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: 1) }) { [url] in
      $0.willLoad = { request, urlRequest in
        if request.url != url { throw NoToken() }
        return urlRequest
      }
    }
    for _ in 0..<3 {
      let error = await loadFailure(try await pipeline.image(for: imageURL("secret")))
      guard case .dataLoadingFailed(let reason) = error else { throw Unexpected(error) }
      #expect(reason is NoToken)
    }
    #expect(loader.requests.isEmpty)
    #expect(try await pipeline.image(for: url).pixelWidth == 20)
    #expect(pipeline.load == (0, 0))
  }

  @Test("The delegate is not asked for closures, local sources and cached data")
  func willLoadDataElsewhere() async throws {
    let log = log
    let folder = try TemporaryFolder()
    let file = folder.file("a.png", original)
    disk.storeData(original, for: key)
    let pipeline = hooked {
      $0.willLoad = { _, urlRequest in
        log.append("asked")
        return urlRequest
      }
    }
    let original = original
    for request in [
      ImageRequest(id: "a", data: { original }),
      ImageRequest(id: "b", image: { ImageContainer(image: SampleImage.bitmap(width: 1, height: 1)) }),
      ImageRequest(url: file),
      ImageRequest(url: URL(string: "data:image/png;base64,\(original.base64EncodedString())")),
      ImageRequest(url: url),
    ] {
      _ = try await pipeline.image(for: request)
    }
    #expect(log.entries.isEmpty)
    #expect(loader.requests.isEmpty)
  }

  @Test("A cancellation reaches the delegate while it works, and nothing is sent")
  func cancelledInWillLoadData() async throws {
    let (gate, log, url) = (Gate(), log, url)
    let pipeline = hooked({ $0.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: 1) }) {
      $0.willLoad = { request, urlRequest in
        guard request.url == url else { return urlRequest }
        await gate.wait()
        log.append(Task.isCancelled ? "cancelled" : "not cancelled")
        return urlRequest
      }
    }
    let task = pipeline.imageTask(with: url)
    await gate.arrivals(count: 1)
    task.cancel()
    #expect(task.isCancelled)
    #expect(pipeline.load == (0, 0))
    #expect(await log.entries(count: 1) == ["cancelled"])
    let next = imageURL("next")
    loader.answer(next, with: .data(original))
    // One at a time: the place is free again.
    _ = try await pipeline.image(for: next)
    #expect(loader.requests.map(\.url) == [next])
  }
}
