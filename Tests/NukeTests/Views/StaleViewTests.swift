import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Stale images in a view", .timeLimit(.minutes(1)))
@MainActor struct StaleViewTests {
  let origin = VersionedOrigin()
  let gate = Gate()
  let log = CallLog()
  let view: FakeImageView

  init() { view = FakeImageView(log: log) }

  /// Options whose pipeline has a stale image in memory, and a server that answers once the gate is open.
  private func stale(_ policy: ImagePipeline.FreshnessPolicy, fields: String) async throws -> ImageLoadingOptions {
    origin.set { $0.fields = ["Cache-Control": fields] }
    let pipeline = origin.pipeline(policy, imageCache: FakeImageCache())
    _ = try await pipeline.image(for: origin.url)
    origin.pass(seconds: 61)
    origin.set { $0.gate = gate }
    var options = ImageLoadingOptions(transition: .fadeIn(duration: 1))
    options.pipeline = pipeline
    return options
  }

  @Test("A stale image is shown at once if freshness is ignored")
  func ignored() async throws {
    let options = try await stale(.ignore, fields: "max-age=60")
    #expect(loadImage(with: origin.url, options: options, into: view) == nil)
    #expect(log.entries == ["show success"])
    #expect(origin.asked.count == 1)
  }

  @Test("A stale image is not shown if it must be validated first")
  func asked() async throws {
    let options = try await stale(.respect, fields: "max-age=60")
    #expect(loadImage(with: origin.url, options: options, into: view) != nil)
    #expect(log.entries == ["show nothing"])
    gate.open()
    #expect(await log.entries(count: 2) == ["show nothing", "show success"])
    #expect(view.image?.pixelWidth == 11)
    #expect(origin.asked == [nil, "\"1\""])
  }

  @Test("A stale image is shown during validation if that is allowed, without a fade to itself")
  func unchanged() async throws {
    let options = try await stale(.respect, fields: "max-age=60, stale-while-revalidate=30")
    loadImage(with: origin.url, options: options, into: view) { [log] result in
      log.append("\((try? result.get().freshness?.description) ?? "")")
    }
    #expect(log.entries == ["show preview"])
    #expect(view.image?.pixelWidth == 11)
    gate.open()
    #expect(await log.entries(count: 3) == ["show preview", "show success", "validated"])
    #expect(view.presentations.map(\.isAnimated) == [false, false])
  }

  @Test("A stale image fades to the new one")
  func changed() async throws {
    let options = try await stale(.respect, fields: "max-age=60, stale-while-revalidate=30")
    origin.set { $0.version = 2 }
    loadImage(with: origin.url, options: options, into: view)
    gate.open()
    #expect(await log.entries(count: 2) == ["show preview", "show success"])
    #expect(view.presentations.map { $0.image?.pixelWidth } == [11, 12])
    #expect(view.presentations.map(\.isAnimated) == [false, true])
  }
}
