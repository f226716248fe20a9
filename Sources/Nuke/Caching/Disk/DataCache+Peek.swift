package import Foundation

/// The result of a look-up that changes nothing.
package enum DiskPeek: Equatable, Sendable {
  case absent
  case whole(Data)
  /// A read would remove it.
  case damaged
}

extension DataCache {
  /// Returns what ``cachedData(for:)`` would find. The look-up does not count as a use, and removes nothing.
  package func peek(_ key: String) -> DiskPeek {
    switch state.withLock({ $0.staged[key] }) {
    case .data(let data, _): .whole(data)
    case .removed: .absent
    case .none: store.peek(key)
    }
  }
}

extension DiskStore {
  /// Returns what ``data(for:)`` would find. The look-up does not count as a use, and removes nothing.
  package func peek(_ key: String) -> DiskPeek {
    guard let name = name(for: key) else { return .absent }
    let (standing, folder) = standing(name, isUse: false)
    if case .absent = standing { return .absent }
    // Files that do not fit together may be those of two moments, once.
    for _ in 0..<2 {
      switch check(name, in: folder) {
      case .whole(let found): return found.entry.metadata.key == key ? .whole(found.entry.data) : .absent
      case .absent, .unavailable: return .absent
      case .damaged: break
      }
    }
    return .damaged
  }
}
