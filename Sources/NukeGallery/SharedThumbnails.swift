#if GTK
  import Foundation
  import Nuke

  /// The thumbnails that all desktop programs share, as the disk cache of the grid's requests for files.
  ///
  /// The pipeline looks up an entry before it reads the photo, and stores one in the background after it has decoded it.
  /// So a thumbnail is read and written in the same places as any other entry of a disk cache.
  final class SharedThumbnails: Sendable {
    private let cache: ThumbnailCache
    /// The versions of files that were looked up and had no thumbnail. If a file changes while it is decoded, its
    /// thumbnail has the time of the old version, and is not valid.
    private let versions = Lock<[URL: ThumbnailCache.Original]>([:])

    /// The maximum number of versions. Those of canceled loads are never stored.
    private static let versionLimit = 4096

    /// - Parameter directory: the folder of the thumbnails; `nil` for that of the user.
    init(directory: URL? = nil) {
      cache = ThumbnailCache(directory: directory, software: "nuke-gallery-\(PackageVersion.current)")
    }

    // MARK: Requests

    /// Returns the request for a thumbnail of a file.
    static func request(_ file: URL, _ size: ThumbnailCache.Size) -> ImageRequest {
      ImageRequest(url: file, processors: [processor(size)])
    }

    private static func processor(_ size: ThumbnailCache.Size) -> ImageProcessors.Resize {
      let side = CGFloat(size.pixels)
      return ImageProcessors.Resize(size: CGSize(width: side, height: side), unit: .pixels, contentMode: .aspectFit)
    }

    private static let sizes = Dictionary(
      uniqueKeysWithValues: ThumbnailCache.Size.allCases.map { (processor($0).identifier, $0) })

    /// Returns the size of the thumbnail that a request is for; `nil` for other requests.
    private static func size(of request: ImageRequest) -> ThumbnailCache.Size? {
      guard request.url?.isFileURL == true, request.processors.count == 1 else { return nil }
      return request.processors.first.flatMap { sizes[$0.identifier] }
    }

    // MARK: Parts of the pipeline

    /// Returns the cache of a request for a thumbnail; `nil` for other requests.
    func cache(for request: ImageRequest) -> (any DataCaching)? {
      guard let size = Self.size(of: request), let file = request.url else { return nil }
      return Entry(thumbnails: self, file: file, size: size)
    }

    /// Returns the encoder of a request for a thumbnail; `nil` for other requests.
    func encoder(for request: ImageRequest) -> (any ImageEncoding)? {
      Self.size(of: request).map { _ in Encoder() }
    }

    /// Returns a decoder that fails if the current version of the file has failed before; `nil` otherwise.
    func decoder(for request: ImageRequest) -> (any ImageDecoding)? {
      guard Self.size(of: request) != nil, let file = request.url, let original = try? version(of: file),
        cache.hasFailed(original)
      else { return nil }
      return FailingDecoder(error: .failedBefore(path: file.path))
    }

    /// Records the failure of a request for a thumbnail, if the file has caused it.
    func storeFailure(_ error: ImagePipeline.Error, of request: ImageRequest) {
      guard Self.size(of: request) != nil, let file = request.url, ThumbnailCache.isFault(error) else { return }
      if case .decodingFailed(let decoder, _, _) = error, decoder is FailingDecoder { return }
      if let original = try? version(of: file) { try? cache.storeFailure(of: original) }
    }

    /// Removes all thumbnails of a file that has changed, and the record of its failure.
    func remove(_ file: URL) {
      versions.withLock { $0[file] = nil }
      if file.isFileURL { cache.removeThumbnails(of: file) }
    }

    private func version(of file: URL) throws -> ThumbnailCache.Original {
      try versions.withLock { $0[file] } ?? cache.original(file)
    }

    /// Notes the version of a file before it is decoded.
    private func expect(_ original: ThumbnailCache.Original, of file: URL) {
      versions.withLock { versions in
        if versions.count >= Self.versionLimit { versions.removeAll() }
        versions[file] = original
      }
    }

    // MARK: Entries

    /// The thumbnail of one file, whatever the key. Errors are ignored, as for any disk cache: the image is decoded again.
    private struct Entry: DataCaching {
      let thumbnails: SharedThumbnails
      let file: URL
      let size: ThumbnailCache.Size

      func cachedData(for key: String) -> Data? {
        guard let original = try? thumbnails.cache.original(file) else { return nil }
        if let data = thumbnails.cache.data(original, size: size) { return data }
        thumbnails.expect(original, of: file)
        return nil
      }

      func containsData(for key: String) -> Bool {
        (try? thumbnails.cache.original(file)).flatMap { thumbnails.cache.data($0, size: size) } != nil
      }

      func storeData(_ data: Data, for key: String) {
        guard let original = thumbnails.versions.withLock({ $0.removeValue(forKey: file) }) else { return }
        try? thumbnails.cache.store(png: data, of: original, size: size)
      }

      /// The pipeline removes a damaged entry before it decodes the photo.
      func removeData(for key: String) {
        if let url = thumbnails.cache.url(for: file, size: size) { try? FileManager.default.removeItem(at: url) }
        if let original = try? thumbnails.cache.original(file) { thumbnails.expect(original, of: file) }
      }

      /// The thumbnails belong to all programs.
      func removeAll() {}
    }

    private struct Encoder: ImageEncoding {
      func encode(_ image: PlatformImage) -> Data? { try? PNGWriter(compressionLevel: 1).encode(image) }
    }

    private struct FailingDecoder: ImageDecoding {
      let error: ThumbnailCache.Error

      func decode(_ data: Data) throws -> ImageContainer { throw error }
    }
  }
#endif
