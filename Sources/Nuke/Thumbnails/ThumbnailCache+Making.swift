public import Foundation
import NukeBase
import NukeCodecs
public import NukeImaging

extension ThumbnailCache {
  /// A thumbnail and its origin.
  public struct Thumbnail: Sendable {
    /// The image, not larger than the requested size.
    public let image: PlatformImage
    /// The file of the thumbnail; `nil` if it was not stored.
    public let url: URL?
    /// A Boolean value that indicates whether the thumbnail was created by this call.
    public let isNew: Bool
    /// The reason why a new thumbnail was not stored, for example because the disk is full or the file is a thumbnail
    /// itself.
    public let storingError: Error?
  }

  /// Returns the stored thumbnail of a file. If there is none, creates and stores one.
  ///
  /// The pipeline loads the file, and decodes it at about the size of the thumbnail. Nothing is stored in the
  /// pipeline's caches. If the file is damaged or not an image, the failure is recorded, and the thumbnail is not
  /// attempted again until the file changes. A file that exceeds the pipeline's limits, or has a format that this build
  /// does not support, is not recorded. For a file that is a thumbnail itself, nothing is stored or recorded:
  /// ``Error/isThumbnail(path:)``.
  ///
  /// - Parameters:
  ///   - file: the URL of a file.
  ///   - size: the maximum size. A smaller image is not enlarged.
  ///   - pipeline: the pipeline that loads and decodes, on its own threads.
  ///   - isMadeAnew: `true` to ignore a stored thumbnail and a recorded failure.
  /// - Throws: ``Error`` if the file cannot be read or failed before, ``ImagePipeline/Error`` if it cannot be loaded.
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
      // If the file has changed in the meantime, the thumbnail has the old modification time, and is not valid.
      let url = try store(
        image, of: original, size: size, pixelSize: Self.pixelSize(of: original),
        mediaType: response.container.type.flatMap(ImageFormat.init(type:))?.mediaType)
      return Thumbnail(image: image, url: url, isNew: true, storingError: nil)
    } catch {
      return Thumbnail(image: image, url: nil, isNew: true, storingError: error)
    }
  }

  /// Returns `true` if the error is caused by the file and would occur again. Limits, missing memory, and formats that
  /// this build or this system does not support do not count.
  package static func isFault(_ error: ImagePipeline.Error) -> Bool {
    guard case .decodingFailed(_, _, let error) = error else { return false }
    switch error as? CodecError {
    case .notBuilt, .missingLibrary, .tooLarge, .tooManyFrames, .outOfMemory, .encodingFailed, .cancelled: return false
    case .unrecognizedFormat, .unsupported, .malformed, .truncated, .tooComplex, nil: return true
    }
  }

  private static func request(for original: Original, _ size: Size) -> ImageRequest {
    var request = ImageRequest(url: original.file, options: [.disableMemoryCache, .disableDiskCache])
    request.thumbnail = .init(
      size: CGSize(width: size.pixels, height: size.pixels), unit: .pixels, contentMode: .aspectFit)
    // A load of another version of the file may run.
    request.imageID = "\(original.uri) \(original.modified) \(original.byteCount)"
    return request
  }

  /// Returns the size of the upright image in pixels, from the header.
  private static func pixelSize(of original: Original) -> (width: Int, height: Int)? {
    let descriptor = original.location.withPointer { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { return nil }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard let data = try? file.read(upToCount: 1 << 18), let header = try? ImageReaders.header(ofPrefix: data)
    else { return nil }
    return (header.pixelWidth, header.pixelHeight)
  }

  /// Reading and encoding would block Swift's cooperative pool.
  private static let queue = TaskQueue(maxConcurrentOperationCount: ProcessInfo.processInfo.activeProcessorCount)

  private static func onWorker<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.add { continuation.resume(returning: work()) }
    }
  }
}
