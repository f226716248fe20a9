import Foundation
import Measuring
import Nuke

/// The cost of displaying an image in a view, as a list does for each row that it binds.
@MainActor struct ViewRows {
  let silent: ImagePipeline
  let hits: ImagePipeline
  let goal: Sample.Goal
  let show: @Sendable (String, @Sendable () async -> Sample) async -> Void

  private final class View: ImageDisplaying {
    let imageLoading = ImageLoadingSlot()
    private var picture: PlatformImage?
    func display(_ presentation: ImagePresentation) { picture = presentation.image }
  }

  /// A view without an ``ImageLoadingSlot``.
  private final class PlainView: Nuke_ImageDisplaying {
    private var picture: PlatformImage?
    func nuke_display(image: PlatformImage?, data: Data?) { picture = image }
  }

  private static let urls = (0..<1000).map { URL(string: "http://test.com/\($0)")! }

  private static func options(_ pipeline: ImagePipeline) -> ImageLoadingOptions {
    var options = ImageLoadingOptions(
      placeholder: PlatformImage(), transition: .fadeIn(duration: 0.3),
      contentModes: .init(success: .aspectFill, failure: .center, placeholder: .center))
    options.pipeline = pipeline
    return options
  }

  func run() async {
    await show("view, memory hit") {
      await memoryHits("memory hit into a view, URL") { View() }
    }
    await show("view, memory hit") {
      await memoryHits("memory hit into a view that stores no slot") { PlainView() }
    }
    await show("view, reuse") {
      await measure("load into a view that is loading", operations: 10_000) { await MainActor.run { reuse() } }
    }
  }

  private nonisolated func memoryHits(
    _ name: String, _ make: @MainActor @Sendable () -> any ImageDisplaying
  ) async -> Sample {
    await measure(name, operations: 100_000, goal: goal) {
      await MainActor.run {
        let views = (0..<20).map { _ in make() }
        let (urls, options) = (Self.urls, Self.options(hits))
        for index in 0..<100_000 { loadImage(with: urls[index % 1000], options: options, into: views[index % 20]) }
      }
    }
  }

  private func reuse() {
    let views = (0..<20).map { _ in View() }
    let (urls, options) = (Self.urls, Self.options(silent))
    for index in 0..<10_000 { loadImage(with: urls[index % 1000], options: options, into: views[index % 20]) }
  }
}
