public import Foundation
public import Nuke

/// A data cache that stores data in memory without a limit, and records its calls.
///
/// ```swift
/// let cache = FakeDataCache()
/// let pipeline = ImagePipeline.fake(loader: loader) { $0.dataCache = cache }
/// _ = try await pipeline.image(for: url)
/// #expect(await cache.writes(count: 1) == [url.absoluteString])
/// ```
///
/// It may be used from any thread.
public final class FakeDataCache: DataCaching {
  private struct State: Sendable {
    var contents: [String: Data] = [:]
    var reads: [String] = []
    var writes: [String] = []
    var removals: [String] = []
  }

  private let state: Watched<State>
  private let gate: Gate?
  private let log: CallLog?

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - contents: the initial data, by key.
  ///   - gate: blocks each read, on the reading thread.
  ///   - log: receives "read", "write" and "remove" with the key when a call starts.
  public init(_ contents: [String: Data] = [:], gate: Gate? = nil, log: CallLog? = nil) {
    state = Watched(State(contents: contents))
    self.gate = gate
    self.log = log
  }

  // MARK: Calls

  /// The stored data, by key.
  public var contents: [String: Data] { state.value.contents }
  /// The keys that were read, with or without data, in order.
  public var reads: [String] { state.value.reads }
  /// The keys under which data was stored, in order.
  public var writes: [String] { state.value.writes }
  /// The keys whose data was removed, with or without data, in order.
  public var removals: [String] { state.value.removals }

  /// Waits until at least `count` reads were made, or the waiting task is canceled, and returns the keys of all reads.
  @discardableResult
  public func reads(count: Int) async -> [String] { await state.wait { $0.reads.count >= count }.reads }

  /// Waits until at least `count` writes were made, or the waiting task is canceled, and returns the keys of all
  /// writes.
  @discardableResult
  public func writes(count: Int) async -> [String] { await state.wait { $0.writes.count >= count }.writes }

  /// Waits until at least `count` removals were made, or the waiting task is canceled, and returns the keys of all
  /// removals.
  @discardableResult
  public func removals(count: Int) async -> [String] { await state.wait { $0.removals.count >= count }.removals }

  // MARK: DataCaching

  public func cachedData(for key: String) -> Data? {
    log?.append("read \(key)")
    state.change { $0.reads.append(key) }
    gate?.waitBlocking()
    return state.value.contents[key]
  }

  public func containsData(for key: String) -> Bool { state.value.contents[key] != nil }

  public func storeData(_ data: Data, for key: String) {
    log?.append("write \(key)")
    state.change { state in
      state.contents[key] = data
      state.writes.append(key)
    }
  }

  public func removeData(for key: String) {
    log?.append("remove \(key)")
    state.change { state in
      state.contents[key] = nil
      state.removals.append(key)
    }
  }

  public func removeAll() { state.change { $0.contents = [:] } }
}
