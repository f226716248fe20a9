public import Foundation

/// Keeps encoded data on disk for the pipeline. Called from the pipeline's threads, where it may take its time.
public protocol DataCaching: Sendable {
  /// The data of `key`; `nil` if there is none, or none that is whole.
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
