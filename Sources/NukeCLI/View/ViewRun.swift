import Foundation
import Nuke

/// Shows every source in its order, and loads those that come next meanwhile.
@MainActor struct ViewRun {
  let sources: [Source]
  /// Where images are drawn; `nil` if they are told of in words.
  let screen: ImageScreen?
  let options: ImageRequest.Options
  /// Seconds past their freshness for which stored images are taken without asking.
  let maxStale: Double?
  /// How many are loaded at a time.
  let concurrency: Int
  /// The most bytes of one file or body; `nil` for the pipeline's own limit.
  let limit: Int?
  let pipeline: ImagePipeline

  /// Shows everything. `report` gets each result once it is shown.
  func callAsFunction(report: (LoadResult) -> Void) async {
    var tasks: [ImageTask?] = []
    for (index, source) in sources.enumerated() {
      while tasks.count < min(index + concurrency, sources.count) { tasks.append(task(for: sources[tasks.count])) }
      let outcome = await show(source, tasks[index], isLast: index == sources.count - 1)
      tasks[index] = nil
      screen?.release()
      report(LoadResult(source: source, outcome: outcome))
    }
  }

  private func task(for source: Source) -> ImageTask? {
    guard let url = source.url else { return nil }
    // No more pixels are decoded than can be shown.
    let processors: [any ImageProcessing] =
      screen.map { [ImageProcessors.Resize(size: $0.pixelSize, unit: .pixels, contentMode: .aspectFit)] } ?? []
    var request = ImageRequest(url: url, processors: processors, options: options)
    request.maxStale = maxStale
    return pipeline.imageTask(with: request)
  }

  private func show(
    _ source: Source, _ task: ImageTask?, isLast: Bool
  ) async -> Result<LoadResult.Loaded, LoadFailure> {
    guard let task else {
      if case .unusable(let reason) = source.location { return .failure(LoadFailure(reason)) }
      return .failure(LoadFailure("it cannot be loaded"))
    }
    do {
      if let screen {
        // Where drawing is slower than loading, what has been replaced already is left out.
        for await preview in task.previews where task.state == .running { screen.show(preview: preview.container) }
      }
      let response = try await task.response
      try await screen?.show(response.container, isLast: isLast)
      return .success(LoadResult.Loaded(response, facts: task.facts))
    } catch {
      task.cancel()
      return .failure(LoadFailure(error, limit: limit))
    }
  }
}
