import Foundation
import FoundationNetworking
import Nuke
import NukeTesting
import Testing

extension DelegateTests {
  /// Logs what a delegate is told of tasks, by the order in which they were created.
  private func follow(_ hooks: inout Hooks) {
    let (log, ids) = (log, CallLog())
    let number = { @Sendable (task: ImageTask) in ids.entries.firstIndex(of: "\(task.taskId)")! + 1 }
    hooks.created = {
      ids.append("\($0.taskId)")
      log.append("created \(number($0))")
    }
    hooks.started = { log.append("started \(number($0))") }
    hooks.event = { task, event in
      switch event {
      case .progress(let progress): log.append("\(progress.completed) \(number(task))")
      case .preview: log.append("preview \(number(task))")
      case .finished(.success): log.append("finished \(number(task))")
      case .finished(.failure(let error)): log.append("\(error) \(number(task))")
      }
    }
  }

  @Test("The delegate receives all events of a task, also of a memory hit")
  func taskEvents() async throws {
    loader.answer(url, with: .data(original, chunkSize: original.count - 10))
    let pipeline = hooked { follow(&$0) }
    _ = try await pipeline.imageTask(with: url).image
    let all = ["created 1", "started 1", "\(original.count - 10) 1", "\(original.count) 1", "finished 1"]
    #expect(await log.entries(count: 5) == all)
    _ = try await pipeline.image(for: url)
    #expect(log.entries.dropFirst(5) == ["created 2", "started 2", "finished 2"])
    _ = try await pipeline.data(for: ImageRequest(url: url))
    #expect(await log.entries(count: 11).suffix(3) == ["created 3", "started 3", "finished 3"])
  }

  @Test("The delegate receives the end of a failed or canceled task, once")
  func taskFailures() async throws {
    let gate = Gate()
    let held = imageURL("held")
    loader.answer(held, with: .data(original).held(by: gate))
    let pipeline = hooked { follow(&$0) }
    _ = pipeline.imageTask(with: ImageRequest(url: nil))
    let failure = "Failed to load image data. Underlying error: The request has no valid URL. 1"
    #expect(log.entries == ["created 1", "started 1", failure])
    let task = pipeline.imageTask(with: held)
    await loader.requests(count: 1)
    task.cancel()
    task.cancel()
    #expect(log.entries.suffix(3) == ["created 2", "started 2", "The image task was canceled. 2"])
    pipeline.invalidate()
    _ = pipeline.imageTask(with: url)
    #expect(
      log.entries.dropFirst(6) == [
        "created 3", "started 3", "The image pipeline has been invalidated and loads no more images. 3",
      ])
  }

  @Test("If the delegate cancels a task before it starts, nothing is loaded", arguments: [true, false])
  func cancelledAtTheStart(whenCreated: Bool) async throws {
    let pipeline = hooked {
      if whenCreated { $0.created = { $0.cancel() } } else { $0.started = { $0.cancel() } }
    }
    let task = pipeline.imageTask(with: url)
    #expect(task.isCancelled)
    let error = await loadFailure(try await task.image)
    guard case .cancelled = error else { throw Unexpected(error) }
    #expect(pipeline.load == (0, 0))
    #expect(loader.requests.isEmpty)
  }
}
