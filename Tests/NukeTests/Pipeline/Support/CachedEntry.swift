import Foundation
import Nuke

/// An entry that a cache has before a load begins.
enum CachedEntry: CaseIterable {
  case originalInMemory
  /// The image after all processors but the last.
  case shorterChainInMemory
  case resultInMemory
  case originalOnDisk
  case resultOnDisk

  var isOnDisk: Bool { self == .originalOnDisk || self == .resultOnDisk }

  /// Stores the entry of `request` in a cache of `pipeline`, whatever the options of the request are.
  ///
  /// - Parameters:
  ///   - container: the entry, if it is one in memory.
  ///   - data: the entry, if it is one on disk.
  func store(_ container: ImageContainer, _ data: Data, for request: ImageRequest, in pipeline: ImagePipeline) {
    var request = request
    request.options = []
    switch self {
    case .originalInMemory, .originalOnDisk: request = request.ofOriginal
    case .shorterChainInMemory: request.processors.removeLast(min(1, request.processors.count))
    case .resultInMemory, .resultOnDisk: break
    }
    if isOnDisk { pipeline.cache.storeCachedData(data, for: request) } else { pipeline.cache[request] = container }
  }
}

extension ImageRequest {
  /// The request without processors and thumbnail.
  var ofOriginal: ImageRequest {
    var original = self
    original.processors = []
    original.thumbnail = nil
    return original
  }
}
