import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Loaders that break the rules", .timeLimit(.minutes(1)))
struct LoaderBehaviorTests {
  struct Late: Error {}

  let url = imageURL("a.png")
  let data = SampleImage.png(width: 20, height: 10)

  @Test("A response before the call returns is accepted")
  func synchronous() async throws {
    let loader = FakeDataLoader(delivery: .synchronous)
    loader.answer(url, with: .data(data, chunkSize: 11))
    let pipeline = ImagePipeline.fake(loader: loader) {
      $0.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: 1)
    }
    for _ in 0..<3 {
      let image = try await pipeline.image(for: ImageRequest(url: url, options: .disableMemoryCache))
      #expect(image.pixelWidth == 20)
    }
  }

  @Test("A transfer above the limit is canceled before the call returns")
  func synchronousExcess() async throws {
    let cancellations = CallLog()
    let loader = ClosureLoader { [data] request, chunk, _ in
      chunk(data, response(to: request, length: data.count))
      return { cancellations.append("cancelled") }
    }
    let pipeline = ImagePipeline.fake(loader: loader) { $0.maximumResponseDataSize = 10 }
    let error = await loadFailure(try await pipeline.image(for: url))
    guard case .dataDownloadExceededMaximumSize = error else { throw Unexpected(error) }
    #expect(await cancellations.entries(count: 1) == ["cancelled"])
  }

  @Test("The reason is kept if the loader completes during its cancellation")
  func answeringCancellation() async throws {
    let cancellations = CallLog()
    let loader = ClosureLoader { request, chunk, completion in
      chunk(Data(count: 100), response(to: request, length: 100))
      return {
        completion(URLError(.cancelled))
        cancellations.append("cancelled")
      }
    }
    let pipeline = ImagePipeline.fake(loader: loader) { $0.maximumResponseDataSize = 10 }
    let error = await loadFailure(try await pipeline.image(for: url))
    guard case .dataDownloadExceededMaximumSize = error else { throw Unexpected(error) }
    #expect(await cancellations.entries(count: 1) == ["cancelled"])
  }

  @Test("Only the first completion counts")
  func completingTwice() async throws {
    let loader = FakeDataLoader { [data] _ in
      .init([.chunk(data), .complete(nil), .complete(Late()), .chunk(data), .complete(nil)])
    }
    let pipeline = ImagePipeline.fake(loader: loader) {
      $0.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: 1)
    }
    for number in 0..<3 {
      #expect(try await pipeline.image(for: imageURL("\(number)")).pixelWidth == 20)
    }
    #expect(pipeline.load == (0, 0))
  }

  @Test("The slot is released once, however often the loader completes")
  func slots() async throws {
    let transfers = Lock((running: 0, most: 0))
    let loader = ClosureLoader { [data] request, chunk, completion in
      transfers.withLock {
        $0.running += 1
        $0.most = max($0.most, $0.running)
      }
      DispatchQueue.global().async {
        chunk(data, response(to: request, length: data.count))
        transfers.withLock { $0.running -= 1 }
        for _ in 0..<3 { completion(nil) }
      }
      return {}
    }
    let pipeline = ImagePipeline.fake(loader: loader) {
      $0.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: 1)
    }
    let tasks = (0..<100).map { pipeline.imageTask(with: imageURL("\($0)")) }
    for task in tasks { _ = try await task.image }
    #expect(transfers.withLock { $0.most } == 1)
  }

  @Test("Data after a cancellation is ignored")
  func answeringAfterCancellation() async throws {
    let calls = Lock<[(chunk: ClosureLoader.Chunk, completion: ClosureLoader.Completion)]>([])
    let begun = CallLog()
    let loader = ClosureLoader { _, chunk, completion in
      calls.withLock { $0.append((chunk, completion)) }
      begun.append("begun")
      return {}
    }
    let pipeline = ImagePipeline.fake(loader: loader) {
      $0.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: 1)
    }
    let first = pipeline.imageTask(with: url)
    await begun.entries(count: 1)
    first.cancel()
    // The slot is free although the loader has not said that it ended.
    let second = pipeline.imageTask(with: url)
    await begun.entries(count: 2)
    let (late, current) = calls.withLock { ($0[0], $0[1]) }
    let response = response(to: URLRequest(url: url), length: data.count)
    late.chunk(data, response)
    late.completion(nil)
    current.chunk(data, response)
    current.completion(nil)
    #expect(try await second.image.pixelWidth == 20)
    #expect(first.isCancelled)
    #expect(second.currentProgress.completed == Int64(data.count))
  }

  @Test("Chunks may come from different threads")
  func manyThreads() async throws {
    let loader = ClosureLoader { [data] request, chunk, completion in
      let task = Task {
        for byte in 0..<data.count {
          await withCheckedContinuation { done in
            DispatchQueue.global().async {
              chunk(data[byte..<byte + 1], response(to: request, length: data.count))
              done.resume()
            }
          }
        }
        completion(nil)
      }
      return { task.cancel() }
    }
    let pipeline = ImagePipeline.fake(loader: loader)
    #expect(try await pipeline.image(for: url).pixels == SampleImage.bitmap(width: 20, height: 10).pixels)
  }

  @Test("A loader's thread does not decode")
  func loaderThread() async throws {
    let loader = ClosureLoader { [data] request, chunk, completion in
      DispatchQueue.global().async {
        chunk(data, response(to: request, length: data.count))
        completion(nil)
      }
      return {}
    }
    let decoder = FakeDecoder(isAsynchronous: false) { _ in
      ImageContainer(image: WorkerPool.isWorker ? SampleImage.bitmap(width: 3, height: 3) : PlatformImage())
    }
    let pipeline = ImagePipeline.fake(loader: loader) { $0.makeImageDecoder = { _ in decoder } }
    #expect(try await pipeline.image(for: url).pixelWidth == 3)
  }

  @Test("No memory is allocated for a false length")
  func lyingLength() async throws {
    let lie = response(to: URLRequest(url: url), length: 150_000_000)
    let loader = FakeDataLoader()
    loader.answer(url, with: .data(data, chunkSize: 50, response: lie))
    let pipeline = ImagePipeline.fake(loader: loader) { $0.maximumResponseDataSize = nil }
    #expect(try await pipeline.image(for: url).pixelWidth == 20)
  }
}
