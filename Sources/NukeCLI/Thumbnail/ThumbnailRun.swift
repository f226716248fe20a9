import Foundation
import Nuke

/// Sees to the thumbnails of files, as many at a time as there are processors, and tells of them in their order.
struct ThumbnailRun: Sendable {
  let cache: ThumbnailCache
  let size: ThumbnailCache.Size
  let isMadeAnew: Bool

  struct Result: Sendable {
    let source: Source
    /// Where the thumbnail is.
    var path: String?
    var width: Int?
    var height: Int?
    var isNew: Bool?
    /// Why there is none.
    var reason: String?

    var json: JSON {
      JSON.members([
        "source": .string(source.text), "ok": .bool(reason == nil), "thumbnail": path.map(JSON.string),
        "width": width.map(JSON.integer), "height": height.map(JSON.integer), "new": isNew.map(JSON.bool),
        "error": reason.map(JSON.string),
      ])
    }
  }

  func results(of sources: [Source]) -> AsyncStream<Result> {
    AsyncStream { continuation in
      let work = Task {
        await withTaskGroup(of: (Int, Result).self) { group in
          var (started, told) = (0, 0)
          var waiting: [Int: Result] = [:]
          func start() {
            guard started < sources.count else { return }
            let index = started
            group.addTask { (index, await result(of: sources[index])) }
            started += 1
          }
          for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { start() }
          for await (index, result) in group {
            waiting[index] = result
            while let next = waiting.removeValue(forKey: told) {
              continuation.yield(next)
              told += 1
            }
            start()
          }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in work.cancel() }
    }
  }

  private func result(of source: Source) async -> Result {
    var result = Result(source: source)
    guard let url = source.url else {
      if case .unusable(let reason) = source.location { result.reason = reason }
      return result
    }
    do {
      let thumbnail = try await cache.thumbnail(of: url, size: size, pipeline: Self.pipeline, isMadeAnew: isMadeAnew)
      result.path = thumbnail.url?.path
      // What is there may be larger than what was asked for.
      let file = thumbnail.url.flatMap { try? Data(contentsOf: $0) }
      let header = file.flatMap { try? ImageReaders.header(ofPrefix: $0) }
      result.width = header?.pixelWidth ?? thumbnail.image.pixelWidth
      result.height = header?.pixelHeight ?? thumbnail.image.pixelHeight
      result.isNew = thumbnail.isNew
      result.reason = thumbnail.storingError.map(Self.reason)
    } catch {
      result.reason = Self.reason(error)
    }
    return result
  }

  private static let pipeline = ImagePipeline {
    $0.imageCache = nil
    $0.imageDecodingQueue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
  }

  private static func reason(_ error: any Error) -> String {
    switch error as? ThumbnailCache.Error {
    case .notAFile: "only files have thumbnails"
    // The path is the source, which the line names already.
    case .fileNotReadable(_, let reason): LoadFailure(reason).reason
    case .failedBefore: "none could be made before, and the file has not changed since (see --remake)"
    case .notStored(let path, let reason): "\(path) cannot be written: \(LoadFailure(reason).reason)"
    case .isThumbnail: "it is a thumbnail itself, of which none are kept"
    case .noFolder: "there is no folder for thumbnails: set HOME, or use --directory"
    case nil: LoadFailure(error, limit: nil).reason
    }
  }
}
