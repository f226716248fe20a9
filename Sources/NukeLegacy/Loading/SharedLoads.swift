import Nuke
import NukeImaging

/// Loads that are under way, each shared by all who asked for it by the same key.
final class SharedLoads: Sendable {
  /// A key that closures carry; see ``Request``.
  private struct Key: Hashable, @unchecked Sendable {
    let value: AnyHashable
  }

  private final class Load: Sendable {
    let source = CancellationTokenSource()
  }

  private struct Entry {
    let load: Load
    var members: [Int: Promise<Image>]
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var lastMember = 0
  }

  private let state = Lock(State())

  /// The number of loads that are under way.
  var count: Int { state.withLock { $0.entries.count } }

  /// Joins the load of `key`, or starts it.
  ///
  /// - Parameters:
  ///   - token: leaves the load, which is canceled when the last one leaves it.
  ///   - start: starts the load where there is none.
  func join(
    _ key: AnyHashable, token: CancellationToken?, start: (CancellationToken) -> Promise<Image>
  ) -> Promise<Image> {
    let key = Key(value: key)
    let promise = Promise<Image>()
    let (load, member, isFirst) = state.withLock { state in
      state.lastMember += 1
      let isFirst = state.entries[key] == nil
      let load = state.entries[key]?.load ?? Load()
      state.entries[key, default: Entry(load: load, members: [:])].members[state.lastMember] = promise
      return (load, state.lastMember, isFirst)
    }
    if let registration = token?.registration({ [self] in leave(load, key: key, member: member) }) {
      promise.observe { _ in registration.remove() }
    }
    if isFirst {
      start(load.source.token).observe { [self] outcome in end(load, key: key, outcome) }
    }
    return promise
  }

  private func end(_ load: Load, key: Key, _ outcome: Result<Image, any Error>) {
    let entry: Entry? = state.withLock { state in
      // All may have left, and another load begun.
      guard state.entries[key]?.load === load else { return nil }
      return state.entries.removeValue(forKey: key)
    }
    for (_, promise) in (entry?.members ?? [:]).sorted(by: { $0.key < $1.key }) { promise.settle(outcome) }
  }

  private func leave(_ load: Load, key: Key, member: Int) {
    let (promise, isLast): (Promise<Image>?, Bool) = state.withLock { state in
      guard state.entries[key]?.load === load else { return (nil, false) }
      let promise = state.entries[key]?.members.removeValue(forKey: member)
      let isLast = state.entries[key]?.members.isEmpty == true
      if isLast { state.entries[key] = nil }
      return (promise, isLast)
    }
    promise?.settle(.failure(ImagePipeline.Error.cancelled))
    if isLast { load.source.cancel() }
  }
}
