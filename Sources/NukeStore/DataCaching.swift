public import Foundation

/// A cache of encoded data for a pipeline. Loads call it on the pipeline's threads, where it may block.
/// ``ImagePipeline/Cache-swift.struct`` calls it on the thread of its caller.
public protocol DataCaching: Sendable {
  /// Returns the data for `key`; `nil` if there is none, or if it is damaged.
  func cachedData(for key: String) -> Data?
  /// Returns `true` if there is data for `key`, without reading it.
  func containsData(for key: String) -> Bool
  /// Stores data for `key`. The method may return before the data is on disk, but must make it available to
  /// ``cachedData(for:)`` at once.
  func storeData(_ data: Data, for key: String)
  /// Removes the data for `key`.
  func removeData(for key: String)
  /// Removes all data.
  func removeAll()
}
