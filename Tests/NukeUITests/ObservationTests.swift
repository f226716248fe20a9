import Foundation
import Nuke
import NukeTesting
import NukeUI
import Observation
import Testing

@Suite("Observing a FetchImage", .timeLimit(.minutes(1)))
@MainActor struct ObservationTests {
  let url = URL(string: "http://pictures.test/a.png")!
  let gate = Gate()
  let log = CallLog()
  let image = FetchImage()

  init() {
    let loader = FakeDataLoader()
    loader.answer(url, with: .data(SampleImage.png(width: 20, height: 10), chunkSize: 64).held(by: gate))
    image.pipeline = .fake(loader: loader)
  }

  /// Notes each change of what `value` reads, with its new value.
  private func follow(_ name: String, _ value: @escaping @MainActor () -> String) {
    withObservationTracking {
      log.append("\(name) \(value())")
    } onChange: {
      DispatchQueue.main.async { MainActor.assumeIsolated { follow(name, value) } }
    }
  }

  @Test("Observers are notified of the image")
  func image() async {
    let image = image
    follow("image") { "\(image.image?.pixelWidth ?? 0)" }
    image.load(url)
    gate.open()
    #expect(await log.entries(count: 2) == ["image 0", "image 20"])
  }

  @Test("Observers are notified when a load begins and ends")
  func loading() async {
    let image = image
    follow("loading") { "\(image.isLoading)" }
    image.load(url)
    await log.entries(count: 2)
    gate.open()
    #expect(await log.entries(count: 3) == ["loading false", "loading true", "loading false"])
  }

  @Test("Only observers of the progress are notified of it")
  func progress() async {
    let image = image
    let finished = Gate()
    image.onCompletion = { _ in finished.open() }
    follow("state") { "\(image.isLoading) \(image.image != nil) \(image.progress === image.progress)" }
    follow("progress") { "\(image.progress.completed > 0)" }
    image.load(url)
    await log.entries(count: 3)
    gate.open()
    await finished.wait()
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    let states = log.entries.filter { $0.hasPrefix("state") }
    #expect(states == ["state false false true", "state true false true", "state false true true"])
    let steps = log.entries.filter { $0.hasPrefix("progress") }
    #expect(steps.count > 1 && steps.first == "progress false" && steps.last == "progress true")
  }

  @Test("It can be used as any LazyImageState")
  func state() {
    func text(_ state: some LazyImageState) -> String {
      "\(state.isLoading) \(state.image == nil) \(state.error == nil) \(state.result == nil) \(state.progress.fraction)"
    }
    #expect(text(image) == "false true true true 0.0")
    image.load(nil as URL?)
    #expect(text(image) == "false true false false 0.0")
  }
}
