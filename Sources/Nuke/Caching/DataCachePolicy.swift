extension ImagePipeline {
  /// Decides what a pipeline stores in its disk cache.
  ///
  /// The data of local files and `data:` URLs is never copied to the cache. Images made from them with processors or a
  /// thumbnail are stored under their URL, like those of other originals. If a file changes, set another
  /// ``ImageRequest/imageID``.
  public enum DataCachePolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// Stores encoded images for requests with processors or a thumbnail, and the unchanged data of the original for
    /// other requests.
    case automatic
    /// Stores the unchanged data of originals.
    case storeOriginalData
    /// Stores encoded images for all requests, and no data of originals.
    case storeEncodedImages
    /// Stores the data of originals, and also encoded images for requests with processors or a thumbnail.
    case storeAll

    func storesOriginal(for kind: ImageTask.Kind, of request: ImageRequest) -> Bool {
      switch self {
      case .automatic: !request.isVariant
      case .storeOriginalData, .storeAll: true
      case .storeEncodedImages: false
      }
    }

    /// - Parameters:
    ///   - isVariant: `true` if the image differs from the original.
    ///   - isOriginalOnDisk: `true` if the data of the original was found in the disk cache.
    func storesEncoded(isVariant: Bool, isOriginalOnDisk: Bool) -> Bool {
      switch self {
      case .automatic, .storeAll: isVariant
      // An unchanged original that was found on disk is already stored.
      case .storeEncodedImages: isVariant || !isOriginalOnDisk
      case .storeOriginalData: false
      }
    }
  }
}

extension ImageRequest {
  /// `true` if the request has processors or a thumbnail, so that its image differs from the original.
  var isVariant: Bool { !processors.isEmpty || thumbnail != nil }
}
