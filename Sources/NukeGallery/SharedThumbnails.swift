#if GTK
  import Foundation
  import Nuke

  /// The thumbnails that all desktop programs share, as the disk cache of the grid's requests for files.
  ///
  /// The pipeline looks up an entry before it reads the photo, and stores one in the background after it has decoded it.
  /// So a thumbnail is read and written in the same places as any other entry of a disk cache.
  final class SharedThumbnails: Sendable {
    private let cache: ThumbnailCache
    /// The versions of files that were looked up, had no thumbnail, and have not been decoded yet. Each is noted before
    /// the file is read, so if the file changes later, its thumbnail or failure has an old version and is not valid.
    private let versions = Lock<[LookUp: ThumbnailCache.Original]>([:])

    private struct LookUp: Hashable {
      let file: URL
      let size: ThumbnailCache.Size
    }

    /// The maximum number of versions. Those of canceled loads are never used.
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
      Self.size(of: request).map { Encoder(cache: cache, size: $0) }
    }

    /// Returns a decoder for the file of a request for a thumbnail, which fails if the same version has failed before.
    /// For other requests, and for a file that changes while it is read, returns `decoder`.
    func decoder(for context: ImageDecodingContext, _ decoder: (any ImageDecoding)?) -> (any ImageDecoding)? {
      guard let decoder = decoder as? any ScalableImageDecoding, let size = Self.size(of: context.request),
        let file = context.request.url,
        let original = versions.withLock({ $0.removeValue(forKey: LookUp(file: file, size: size)) }),
        original.byteCount == context.data.count
      else { return decoder }
      if cache.hasFailed(original) { return FailingDecoder(error: .failedBefore(path: file.path)) }
      return VersionDecoder(base: decoder, original: original)
    }

    /// Records the failure of a request for a thumbnail, if the file has caused it.
    func storeFailure(_ error: ImagePipeline.Error) {
      guard case .decodingFailed(let decoder as VersionDecoder, _, _) = error, ThumbnailCache.isFault(error) else {
        return
      }
      try? cache.storeFailure(of: decoder.original)
    }

    /// Removes all thumbnails of a file that has changed, and the record of its failure.
    func remove(_ file: URL) {
      if file.isFileURL { cache.removeThumbnails(of: file) }
    }

    /// Notes the version of a file before it is read.
    ///
    /// - Parameter replacesEarlier: `false` to keep the version of a look-up whose file may be read just now.
    private func note(
      _ original: ThumbnailCache.Original, of file: URL, _ size: ThumbnailCache.Size, replacesEarlier: Bool
    ) {
      let lookUp = LookUp(file: file, size: size)
      versions.withLock { versions in
        guard replacesEarlier || versions[lookUp] == nil else { return }
        if versions.count >= Self.versionLimit { versions.removeAll() }
        versions[lookUp] = original
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
        thumbnails.note(original, of: file, size, replacesEarlier: true)
        return nil
      }

      func containsData(for key: String) -> Bool {
        (try? thumbnails.cache.original(file)).flatMap { thumbnails.cache.data($0, size: size) } != nil
      }

      func storeData(_ data: Data, for key: String) {
        try? thumbnails.cache.store(labeled: data, of: file, size: size)
      }

      /// The pipeline removes a damaged entry before it reads the photo. The grid removes that of a photo that has changed,
      /// which may happen while the old one is read.
      func removeData(for key: String) {
        if let url = thumbnails.cache.url(for: file, size: size) { try? FileManager.default.removeItem(at: url) }
        if let original = try? thumbnails.cache.original(file) {
          thumbnails.note(original, of: file, size, replacesEarlier: false)
        }
      }

      /// The thumbnails belong to all programs.
      func removeAll() {}
    }

    /// Encodes thumbnails with the version of the file that was decoded.
    private struct Encoder: ImageEncoding {
      let cache: ThumbnailCache
      let size: ThumbnailCache.Size

      /// Nothing is stored without a version, or if the file is smaller than a thumbnail.
      func encode(_ container: ImageContainer, context: ImageEncodingContext) -> Data? {
        guard let original = container.userInfo[.original] as? ThumbnailCache.Original,
          max(container.image.pixelWidth, container.image.pixelHeight) == size.pixels,
          let data = encode(container.image)
        else { return nil }
        return try? cache.labeled(data, as: original)
      }

      func encode(_ image: PlatformImage) -> Data? { try? PNGWriter(compressionLevel: 1).encode(image) }
    }

    /// Decodes images like another decoder, and adds the version of the file.
    private struct VersionDecoder: ScalableImageDecoding {
      let base: any ScalableImageDecoding
      let original: ThumbnailCache.Original

      func decode(_ data: Data) throws -> ImageContainer {
        var container = try base.decode(data)
        container.userInfo[.original] = original
        return container
      }

      func openingByteCount(of data: Data) -> Int? { base.openingByteCount(of: data) }

      func open(_ data: Data, limits: CodecLimits) throws -> any OpenedImage {
        try base.open(data, limits: limits).adding([.original: original])
      }
    }

    private struct FailingDecoder: ImageDecoding {
      let error: ThumbnailCache.Error

      func decode(_ data: Data) throws -> ImageContainer { throw error }
    }
  }

  extension ImageContainer.UserInfoKey {
    /// The version of the file from which an image was decoded.
    fileprivate static let original: Self = "gallery/original"
  }
#endif
