public import Nuke

/// A memory cache without limits that counts its calls.
public final class FakeImageCache: ImageCaching {
  private struct State: Sendable {
    var containers: [ImageCacheKey: ImageContainer] = [:]
    var reads = 0
    var hits = 0
    var writes = 0
  }

  private let state = Watched(State())

  /// Creates an empty cache.
  public init() {}

  /// The number of images.
  public var count: Int { state.value.containers.count }
  /// The number of look-ups.
  public var readCount: Int { state.value.reads }
  /// The number of hits.
  public var hitCount: Int { state.value.hits }
  /// The number of stored images.
  public var writeCount: Int { state.value.writes }

  public subscript(key: ImageCacheKey) -> ImageContainer? {
    get {
      state.change { state in
        let container = state.containers[key]
        state.reads += 1
        if container != nil { state.hits += 1 }
        return container
      }
    }
    set {
      state.change { state in
        state.containers[key] = newValue
        if newValue != nil { state.writes += 1 }
      }
    }
  }

  public func removeAll() { state.change { $0.containers = [:] } }
}
