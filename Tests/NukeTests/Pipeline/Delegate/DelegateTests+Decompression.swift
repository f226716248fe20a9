import Foundation
import Nuke
import NukeTesting
import Testing

extension DelegateTests {
  @Test("decompress is called once for all tasks that share an image")
  func decompress() async throws {
    let log = log
    let small = SampleImage.bitmap(width: 1, height: 1)
    let pipeline = hooked({ $0.dataCachePolicy = .storeEncodedImages }) {
      $0.decompress = { response in
        log.append("decompress \(response.image.pixelWidth)")
        var response = response
        response.container.image = small
        return response
      }
      $0.encoder = { _ in SizeEncoder() }
    }
    let tasks = (0..<2).map { _ in pipeline.imageTask(with: blurred()) }
    for task in tasks { #expect(try await task.image === small) }
    #expect(pipeline.cache[blurred()]?.image === small)
    await pipeline.encodingsDone()
    #expect(disk.contents[key + "/blur"] == Data("1x1".utf8))
    _ = try await pipeline.image(for: blurred())
    #expect(log.entries == ["decompress 20"], "neither for the steps on the way nor for what is in memory")
  }

  @Test("The delegate decides which images are decompressed")
  func shouldDecompress() async throws {
    let log = log
    let pipeline = hooked {
      $0.shouldDecompress = { _, request in request.priority == .high }
      $0.decompress = { response in
        log.append(response.request.url?.lastPathComponent ?? "")
        return response
      }
    }
    for (name, priority) in [("low", ImageRequest.Priority.low), ("high", .high)] {
      loader.answer(imageURL(name), with: .data(original))
      _ = try await pipeline.image(for: ImageRequest(url: imageURL(name), priority: priority))
    }
    #expect(log.entries == ["high"])
  }

  @Test("Requests that skip decompression are not decompressed, whatever the delegate returns")
  func skipDecompression() async throws {
    let log = log
    let pipeline = hooked {
      $0.shouldDecompress = { _, _ in true }
      $0.decompress = { response in
        log.append("decompress")
        return response
      }
    }
    loader.answer(url, with: .data(original))
    _ = try await pipeline.image(for: ImageRequest(url: url, options: .skipDecompression))
    #expect(log.entries.isEmpty)
  }

  @Test("decompress is also called for images from disk")
  func decompressFromDisk() async throws {
    let log = log
    disk.storeData(original, for: key + "/blur")
    let pipeline = hooked {
      $0.decompress = { response in
        log.append("\(String(describing: response.cacheType))")
        return response
      }
    }
    #expect(try await pipeline.imageTask(with: blurred()).response.cacheType == .disk)
    #expect(log.entries.count == 1)
    #expect(log.entries.first?.hasSuffix("disk)") == true)
  }

  @Test("decompress is not called if decompression is disabled, for a request or for all", arguments: [true, false])
  func noDecompression(isOfRequest: Bool) async throws {
    let log = log
    let pipeline = hooked({ $0.isDecompressionEnabled = isOfRequest }) {
      $0.decompress = { response in
        log.append("called")
        return response
      }
    }
    _ = try await pipeline.image(for: blurred(isOfRequest ? .skipDecompression : []))
    #expect(log.entries.isEmpty)
  }

  @Test("A canceled load is not decompressed")
  func cancelledDecompression() async throws {
    let log = log
    let pipeline = hooked({ $0.imageDecompressingQueue = TaskQueue(maxConcurrentOperationCount: 1) }) {
      $0.shouldDecompress = { _, request in
        log.append("asked \(request.url?.lastPathComponent ?? "")")
        return true
      }
      $0.decompress = { response in
        log.append("decompress \(response.request.url?.lastPathComponent ?? "")")
        return response
      }
    }
    pipeline.configuration.imageDecompressingQueue.isSuspended = true
    let task = pipeline.imageTask(with: url)
    await log.entries(count: 1)
    task.cancel()
    pipeline.configuration.imageDecompressingQueue.isSuspended = false
    loader.answer(imageURL("b"), with: .data(original))
    _ = try await pipeline.image(for: imageURL("b"))
    #expect(log.entries == ["asked a.png", "asked b", "decompress b"])
    #expect(pipeline.load == (0, 0))
    #expect(pipeline.cache[url] == nil)
  }

  @Test("The highest priority is decompressed first, also if it changes")
  func urgentDecompression() async throws {
    let log = log
    let pipeline = hooked({ $0.imageDecompressingQueue = TaskQueue(maxConcurrentOperationCount: 1) }) {
      $0.shouldDecompress = { _, _ in true }
      $0.decompress = { response in
        log.append(response.request.url?.lastPathComponent ?? "")
        return response
      }
    }
    let queue = pipeline.configuration.imageDecompressingQueue
    queue.isSuspended = true
    let names = ["a", "b", "c"]
    for name in names { loader.answer(imageURL(name), with: .data(original)) }
    let tasks = names.map { pipeline.imageTask(with: ImageRequest(url: imageURL($0), priority: .low)) }
    try await waitUntil { queue.status.waiting >= 3 }
    tasks[2].priority = .high
    tasks[1].priority = .normal
    queue.isSuspended = false
    for task in tasks { _ = try await task.image }
    #expect(log.entries == ["c", "b", "a"])
  }
}
