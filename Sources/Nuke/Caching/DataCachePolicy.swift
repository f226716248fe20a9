extension ImagePipeline {
  /// Decides what a pipeline stores in its disk cache.
  ///
  /// The data of local files and `data:` URLs is never copied there. Images made of it with processors or a thumbnail are
  /// stored as those of other originals are: under the URL, so that a file which changes needs another
  /// ``ImageRequest/imageID``.
  public enum DataCachePolicy: Sendable {
    /// Images of requests with processors or a thumbnail are stored encoded; of requests without, the data as it came.
    case automatic
    /// The data of originals as it came.
    case storeOriginalData
    /// Images encoded, of all requests; no original data.
    case storeEncodedImages
    /// The data of originals, and images of requests with processors or a thumbnail encoded.
    case storeAll

    func storesOriginal(for kind: ImageTask.Kind, of request: ImageRequest) -> Bool {
      switch self {
      case .automatic: !request.isVariant
      case .storeOriginalData, .storeAll: true
      case .storeEncodedImages: false
      }
    }

    /// - Parameters:
    ///   - isVariant: whether something was done to the original.
    ///   - isOriginalOnDisk: whether the original's data came from there.
    func storesEncoded(isVariant: Bool, isOriginalOnDisk: Bool) -> Bool {
      switch self {
      case .automatic, .storeAll: isVariant
      // What came from the disk without a change is there.
      case .storeEncodedImages: isVariant || !isOriginalOnDisk
      case .storeOriginalData: false
      }
    }
  }
}

extension ImageRequest {
  /// `true` if something is done to the original.
  var isVariant: Bool { !processors.isEmpty || thumbnail != nil }
}
