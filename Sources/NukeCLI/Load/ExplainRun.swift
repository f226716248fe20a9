import Foundation
import Nuke

/// Tells of every source what a load would do, without doing it.
struct ExplainRun {
  let sources: [Source]
  let processors: [any ImageProcessing]
  let options: ImageRequest.Options
  let maxStale: Double?
  let pipeline: ImagePipeline

  /// Explains one after the other. `report` gets each as it comes: what would be done, or why it cannot be.
  ///
  /// - Returns: `true` if none would fail, as far as can be told.
  func callAsFunction(report: (Source, Result<ImagePipeline.Explanation, LoadFailure>) -> Void) async -> Bool {
    var isGood = true
    for source in sources {
      if case .unusable(let reason) = source.location {
        isGood = false
        report(source, .failure(LoadFailure(reason)))
        continue
      }
      var request = ImageRequest(url: source.url, processors: processors, options: options)
      request.maxStale = maxStale
      let explanation = await pipeline.explain(request)
      if explanation.failure != nil { isGood = false }
      report(source, .success(explanation))
    }
    return isGood
  }
}

extension ImagePipeline.Explanation {
  /// The lines that are printed for a person.
  func lines(for source: Source) -> [String] {
    // Its first line is the request, in which paths are URLs.
    [source.displayName] + description.split(separator: "\n").dropFirst().map { String($0).onOneLine }
  }

  /// The object of a source: all members of the explanation under `explanation`.
  func json(for source: Source) -> JSON {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let members = (try? encoder.encode(self)).map { JSON.encoded(String(decoding: $0, as: UTF8.self)) }
    return .members([
      "source": .string(source.text), "ok": .bool(failure == nil), "error": failure.map { .string($0) },
      "explanation": members,
    ])
  }
}

/// Stands in for a cache whose folder there is not, so that a dry run need not make it.
struct EmptyDataCache: DataCaching {
  func cachedData(for key: String) -> Data? { nil }
  func containsData(for key: String) -> Bool { false }
  func storeData(_ data: Data, for key: String) {}
  func removeData(for key: String) {}
  func removeAll() {}
}
