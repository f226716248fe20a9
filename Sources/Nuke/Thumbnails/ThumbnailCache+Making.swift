public import Foundation
import NukeCodecs
public import NukeImaging

extension ThumbnailCache {
  /// A thumbnail, and how it was come by.
  public struct Thumbnail: Sendable {
    /// At most as large as was asked for.
    public let image: PlatformImage
    /// The file of the thumbnail; `nil` if it was not stored.
    public let url: URL?
    /// A Boolean value that indicates whether it was made now, and not there before.
    public let isNew: Bool
    /// Why it was made and is not kept, as on a full disk, or since the file is a thumbnail itself.
    public let storingError: Error?
  }

  /// The thumbnail of a file: that which is there, else one that is made and kept.
  ///
  /// The file is loaded by the pipeline, decoded at about the size of the thumbnail; what was loaded goes into none of
  /// the pipeline's caches. A file that is damaged or no image is noted, and not tried again until it changes; one that
  /// is past the pipeline's limits, or of a format that this build lacks, is not. Of a file that is a thumbnail itself
  /// none is kept, and nothing is noted: ``Error/isThumbnail(path:)``.
  ///
  /// - Parameters:
  ///   - file: a file's URL.
  ///   - size: how large it is at most. A smaller image stays as it is.
  ///   - pipeline: decodes, on its own threads.
  ///   - isMadeAnew: whether what is there, and the note of a failure, do not count.
  /// - Throws: ``Error`` where the file cannot be read or failed before, ``ImagePipeline/Error`` where it cannot be loaded.
  public func thumbnail(
    of file: URL, size: Size, pipeline: ImagePipeline = .shared, isMadeAnew: Bool = false
  ) async throws -> Thumbnail {
    let original = try original(file)
    if !isMadeAnew {
      let (stored, hasFailed) = await Self.onWorker {
        let stored = self.stored(original, size: size)
        return (stored, stored == nil && self.hasFailed(original))
      }
      if let stored { return Thumbnail(image: stored.image, url: stored.url, isNew: false, storingError: nil) }
      guard !hasFailed else { throw Error.failedBefore(path: original.path) }
    }
    let response: ImageResponse
    do {
      response = try await pipeline.imageTask(with: Self.request(for: original, size)).response
    } catch {
      if Self.isFault(error) { await Self.onWorker { try? storeFailure(of: original) } }
      throw error
    }
    return await Self.onWorker { keep(response, original, size) }
  }

  private func keep(_ response: ImageResponse, _ original: Original, _ size: Size) -> Thumbnail {
    let image = Self.fitted(response.image, size) ?? response.image
    do throws(Error) {
      // Should the file have been changed while it was read, the time is that of what it was: not valid any more.
      let url = try store(
        image, of: original, size: size, pixelSize: Self.pixelSize(of: original),
        mediaType: response.container.type.flatMap(ImageFormat.init(type:))?.mediaType)
      return Thumbnail(image: image, url: url, isNew: true, storingError: nil)
    } catch {
      return Thumbnail(image: image, url: nil, isNew: true, storingError: error)
    }
  }

  /// Returns `true` if the file is to blame, and would be at the next try: not a limit, the memory, or what was left
  /// out of a build.
  private static func isFault(_ error: ImagePipeline.Error) -> Bool {
    guard case .decodingFailed(_, _, let error) = error else { return false }
    switch error as? CodecError {
    case .notBuilt, .tooLarge, .tooManyFrames, .outOfMemory, .encodingFailed, .cancelled: return false
    case .unrecognizedFormat, .unsupported, .malformed, .truncated, nil: return true
    }
  }

  private static func request(for original: Original, _ size: Size) -> ImageRequest {
    var request = ImageRequest(url: original.file, options: [.disableMemoryCache, .disableDiskCache])
    request.thumbnail = .init(
      size: CGSize(width: size.pixels, height: size.pixels), unit: .pixels, contentMode: .aspectFit)
    return request
  }

  /// Returns the size of the upright image in pixels, from the header.
  private static func pixelSize(of original: Original) -> (width: Int, height: Int)? {
    guard let file = FileHandle(forReadingAtPath: original.path),
      let data = try? file.read(upToCount: 1 << 18), let header = try? ImageReaders.header(ofPrefix: data)
    else { return nil }
    return (header.pixelWidth, header.pixelHeight)
  }

  /// Reading and encoding would block Swift's pool.
  private static let queue = TaskQueue(maxConcurrentOperationCount: ProcessInfo.processInfo.activeProcessorCount)

  private static func onWorker<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.add(
        WorkItem {
          continuation.resume(returning: work())
          return .done
        })
    }
  }
}
