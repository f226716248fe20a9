public import Foundation

/// A cache of encoded data for the pipeline. Loads call it on the pipeline's threads, where it may block.
/// ``ImagePipeline/Cache-swift.struct`` calls it on the thread of its caller.
public protocol DataCaching: Sendable {
  /// Returns the data of `key`; `nil` if there is none, or it is damaged.
  func cachedData(for key: String) -> Data?
  /// Returns `true` if there is data for `key`, without reading it.
  func containsData(for key: String) -> Bool
  /// Stores data. It may return before the data is on disk, but the data can be read back at once.
  func storeData(_ data: Data, for key: String)
  /// Removes the data of `key`.
  func removeData(for key: String)
  /// Removes all data.
  func removeAll()
}
