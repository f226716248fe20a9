import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Image tasks", .timeLimit(.minutes(1)))
struct ImageTaskTests {
  let url = imageURL("a.png")
  let loader = FakeDataLoader()

  init() { loader.answer(url, with: .data(SampleImage.png(width: 20, height: 10))) }

  @Test("A task equals only itself")
  func identity() async throws {
    let pipeline = ImagePipeline.fake(loader: loader)
    let (first, second) = (pipeline.imageTask(with: url), pipeline.imageTask(with: url))
    #expect(first == first)
    #expect(first != second)
    #expect(Set([first, second, first]).count == 2)
    #expect(first.id == first.id)
    #expect(first.id != second.id)
    #expect(first.request.url == url)
    _ = try await (first.image, second.image)
  }

  @Test("Task numbers are unique across pipelines")
  func numbers() {
    let tasks = (0..<3).flatMap { _ in
      let pipeline = ImagePipeline.fake(loader: loader)
      return [pipeline.imageTask(with: url), pipeline.imageTask(with: url)]
    }
    #expect(Set(tasks.map(\.taskId)).count == 6)
  }

  @Test("The description contains the number, the image without secrets, the priority, the progress and the state")
  func description() async throws {
    let gate = Gate()
    let secret = imageURL("b.png?token=1")
    loader.answer(url, with: .data(SampleImage.png(width: 20, height: 10)).held(by: gate))
    let pipeline = ImagePipeline.fake(loader: loader)
    func text(_ task: ImageTask, _ name: String, _ state: String) -> String {
      let progress = task.currentProgress
      return "ImageTask(id: \(task.taskId), request: http://pictures.test/\(name), priority: \(task.priority), "
        + "progress: \(progress.completed) / \(progress.total), state: \(state))"
    }
    let task = pipeline.imageTask(with: ImageRequest(url: url, priority: .high))
    #expect("\(task)" == text(task, "a.png", "running"))
    gate.open()
    _ = try await task.response
    #expect("\(task)" == text(task, "a.png", "success"))
    let failed = pipeline.imageTask(with: secret)
    _ = await loadFailure(try await failed.response)
    #expect("\(failed)" == text(failed, "b.png", "failure"))
    loader.answer(imageURL("c.png"), with: .data(Data()).held(by: Gate()))
    let canceled = pipeline.imageTask(with: imageURL("c.png"))
    canceled.cancel()
    #expect("\(canceled)" == text(canceled, "c.png", "cancelled"))
  }

  @Test("Canceling a finished task sets isCancelled and keeps the result")
  func cancellationAfterEnd() async throws {
    let task = ImagePipeline.fake(loader: loader).imageTask(with: url)
    let image = try await task.image
    #expect(!task.isCancelled)
    task.cancel()
    #expect(task.isCancelled)
    #expect(task.state == .completed)
    #expect(try task.status.result?.get().image === image)
    #expect(try await task.image === image)
  }

  @Test("A status is a consistent snapshot")
  func status() async throws {
    let (pipeline, gate) = (ImagePipeline.fake(loader: loader), Gate())
    loader.answer(url, with: .data(SampleImage.png(width: 20, height: 10)).held(by: gate))
    let task = pipeline.imageTask(with: ImageRequest(url: url, priority: .high))
    #expect(task.status.result == nil)
    #expect((task.status.isCancelled, task.status.priority) == (false, .high))
    gate.open()
    _ = try await task.response
    let status = task.status
    #expect(try status.result?.get().image.pixelWidth == 20)
    #expect(status.progress.completed > 0)
    #expect(!status.isCancelled && !task.isCancelled)
  }

  @Test("A delegate's request hook runs on the actor that delegates share")
  func actor() async throws {
    let log = CallLog()
    let pipeline = ImagePipeline(
      configuration: .fake(loader: loader),
      delegate: HookedDelegate {
        $0.willLoad = { _, request in
          await Self.note(in: log)
          return request
        }
      })
    _ = try await pipeline.image(for: url)
    #expect(log.entries == ["on the actor"])
  }

  @ImagePipelineActor private static func note(in log: CallLog) {
    ImagePipelineActor.shared.assertIsolated()
    log.append("on the actor")
  }
}
