import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Images in the order in which their loads end", .timeLimit(.minutes(1)))
struct ImageSequenceTests {
  private typealias Progress = ImagePipeline.ImageSequence.Progress

  private func width(_ element: ImagePipeline.ImageSequence.Element?) -> Int? {
    try? element?.result.get().image.pixelWidth
  }

  @Test("Images are delivered in the order in which their loads end, each with its index, request and progress")
  func completionOrder() async {
    let images = Qualities(count: 3)
    var bytes: Int64 = 0
    var iterator = images.pipeline.images(for: images.requests, maxConcurrent: 3).makeAsyncIterator()
    for (position, index) in [2, 0, 1].enumerated() {
      images.gates[index].open()
      let element = await iterator.next()
      #expect(element?.index == index)
      #expect(element?.request.url == images.requests[index].url)
      #expect(width(element) == index + 1)
      bytes += Int64(SampleImage.png(width: index + 1, height: 1).count)
      #expect(element?.progress == Progress(completed: position + 1, total: 3, bytes: bytes))
    }
    #expect(await iterator.next() == nil)
    #expect(await iterator.next() == nil)
  }

  @Test("A failed load is an element, and the other loads continue")
  func failure() async {
    let images = Qualities(count: 2)
    images.openAll()
    images.answer(1, with: .failure(Refusal(number: 1)))
    var failures: [Int: Refusal?] = [:]
    var last: Progress?
    for await element in images.pipeline.images(for: images.requests, maxConcurrent: 1) {
      failures[element.index] = element.result.error?.dataLoadingError as? Refusal
      last = element.progress
    }
    #expect(failures == [0: Refusal(number: 1), 1: nil])
    let bytes = Int64(SampleImage.png(width: 2, height: 1).count)
    #expect(last == Progress(completed: 2, failed: 1, total: 2, bytes: bytes))
  }

  @Test("No more loads than permitted run at a time, and a result that is delivered makes room for the next load")
  func bounded() async {
    let images = Qualities(count: 4)
    var iterator = images.pipeline.images(for: images.requests, maxConcurrent: 2).makeAsyncIterator()
    images.gates[1].open()
    #expect(width(await iterator.next()) == 2)
    // The third load starts before `next` returns, and the fourth does not, since the first one still runs.
    let requests = await images.loader.requests(count: 3)
    #expect(Set(requests.map(\.url)) == Set(images.requests[..<3].map(\.url)))
    images.gates[2].open()
    #expect(width(await iterator.next()) == 3)
    #expect(await images.loader.requests(count: 4).count == 4)
    images.openAll()
    #expect(Set([width(await iterator.next()), width(await iterator.next())]) == [1, 4])
  }

  @Test("Results that nobody has taken count against the limit, so that a slow loop holds few images")
  func backPressure() async throws {
    let images = Qualities(count: 5)
    images.openAll()
    var iterator = images.pipeline.images(for: images.requests, maxConcurrent: 2).makeAsyncIterator()
    _ = await iterator.next()
    // One image is with the loop, and two loads have ended or will end without another call of `next`.
    try await waitUntil { images.loader.completedRequests.count == 3 && images.pipeline.load.jobs == 0 }
    #expect(images.loader.requests.count == 3)
    var count = 1
    while await iterator.next() != nil { count += 1 }
    #expect(count == 5)
  }

  @Test("Nothing is loaded before the iteration starts, and each iteration loads for itself")
  func lazyStart() async {
    let images = Qualities(count: 1)
    images.openAll()
    let sequence = images.pipeline.images(for: images.requests)
    #expect(images.loader.requests.isEmpty)
    for _ in 1...2 {
      var widths: [Int?] = []
      for await element in sequence { widths.append(width(element)) }
      #expect(widths == [1])
    }
    // The second iteration found the image in the memory cache.
    #expect(images.loader.requests.count == 1)
  }

  @Test("Images in memory are delivered like others, without bytes")
  func memoryHits() async {
    let images = Qualities(count: 3)
    for number in 1...3 { images.keep(number) }
    var indexes: [Int] = []
    for await element in images.pipeline.images(for: images.requests, maxConcurrent: 2) {
      indexes.append(element.index)
      #expect(element.progress.bytes == 0)
    }
    #expect(indexes == [0, 1, 2])
    #expect(images.loader.requests.isEmpty)
  }

  @Test("Canceling the task that iterates ends the sequence and cancels the loads")
  func cancelling() async {
    let images = Qualities(count: 3)
    let task = Task {
      var count = 0
      for await _ in images.pipeline.images(for: images.requests, maxConcurrent: 2) { count += 1 }
      return count
    }
    await images.loader.requests(count: 2)
    task.cancel()
    #expect(await task.value == 0)
    #expect(await images.loader.cancelledRequests(count: 2).count == 2)
    #expect(images.loader.requests.count == 2)
  }

  @Test("A task that was canceled before it iterates starts no load")
  func cancelledBefore() async {
    let images = Qualities(count: 1)
    let gate = Gate()
    let task = Task {
      await gate.wait()
      var count = 0
      for await _ in images.pipeline.images(for: images.requests) { count += 1 }
      return count
    }
    task.cancel()
    gate.open()
    #expect(await task.value == 0)
    #expect(images.loader.requests.isEmpty)
  }

  @Test("Leaving the loop cancels the loads that still run")
  func leaving() async {
    let images = Qualities(count: 3)
    images.gates[0].open()
    for await element in images.pipeline.images(for: images.requests, maxConcurrent: 3) {
      #expect(element.index == 0)
      // A load that is canceled before it calls the loader does not call it.
      await images.loader.requests(count: 3)
      break
    }
    let cancelled = await images.loader.cancelledRequests(count: 2)
    #expect(Set(cancelled.map(\.url)) == Set(images.requests[1...].map(\.url)))
  }

  @Test("Equal requests share a download, and each has an element")
  func equalRequests() async {
    let images = Qualities(count: 1)
    let requests = [images.requests[0], images.requests[0]]
    var iterator = images.pipeline.images(for: requests, maxConcurrent: 2).makeAsyncIterator()
    images.openAll()
    #expect(Set([await iterator.next()?.index, await iterator.next()?.index]) == [0, 1])
    #expect(await iterator.next() == nil)
    #expect(images.loader.requests.count == 1)
  }

  @Test("A limit below 1 is 1", arguments: [0, -1, Int.min])
  func leastLimit(limit: Int) async {
    let images = Qualities(count: 2)
    images.openAll()
    var indexes: [Int] = []
    for await element in images.pipeline.images(for: images.requests, maxConcurrent: limit) {
      indexes.append(element.index)
    }
    #expect(indexes == [0, 1])
  }

  @Test("Without requests, the sequence is empty")
  func none() async {
    for await element in ImagePipeline.fake().images(for: []) { Issue.record("\(element)") }
  }

  @Test("The fraction counts completed requests, and is 1 if there are none")
  func fraction() {
    #expect(Progress(completed: 1, failed: 1, total: 4).fraction == 0.25)
    #expect(Progress(completed: 0, total: 0).fraction == 1)
  }
}
