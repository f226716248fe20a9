package import Foundation
import NukeBase
package import NukeHTTPCaching
import NukeStore

/// The entries of a URL.
///
/// The first response is stored under the key of the URL. Other variants, which `Vary` distinguishes, have separate
/// keys. A further entry lists those keys.
extension HTTPCache {
  /// A stored response and its entry.
  package struct Slot {
    let key: String
    package let response: StoredResponse
    /// The metadata as read from disk.
    let metadata: DiskMetadata
  }

  static let kind = "http"
  static let listKind = "http-variants"

  /// Returns the key of the entry that lists all slots but the first.
  static func listKey(of url: String) -> String { "\(url)\nvariants" }

  /// Returns the key of the slot for a further variant. The key does not reveal the fields of requests.
  static func slotKey(of response: StoredResponse) -> String {
    "\(response.key)\nvariant \(String(DiskStore.hash(response.selecting.key), radix: 16))"
  }

  /// Reads all slots of a URL, on the calling thread.
  func slots(of url: String) -> [Slot] {
    guard let store = storeWithStaged(of: url) else { return [] }
    awaitSweep()
    return slots(of: url, in: store, isUse: true) { store.remove($0) }
  }

  /// Reads all slots without counting a use and without removing damaged ones.
  package func peek(_ url: String) -> [Slot] {
    let key = CacheURL.key(url)
    return storeWithStaged(of: key).map { slots(of: key, in: $0, isUse: false) { _ in } } ?? []
  }

  /// Returns what ``body(of:)`` would find. The look-up does not count as a use.
  package func peek(_ slot: Slot) -> Data? {
    guard case .whole(let data)? = store?.peek(slot.key) else { return nil }
    return data
  }

  private func storeWithStaged(of url: String) -> DiskStore? {
    if state.withLock({ $0.staged.isWaiting(for: url) }) { writeStaged() }
    return store
  }

  private func slots(
    of url: String, in store: DiskStore, isUse: Bool, remove: (String) -> Void
  ) -> [Slot] {
    ([url] + listedKeys(of: url, in: store, isUse: isUse)).compactMap { slot($0, of: url, in: store, remove: remove) }
  }

  private func slot(_ key: String, of url: String, in store: DiskStore, remove: (String) -> Void) -> Slot? {
    guard let metadata = store.metadata(for: key), metadata.kind == Self.kind else { return nil }
    guard let response = StoredResponse(encoded: metadata.attributes), response.key == url,
      response.content.storedLength == metadata.length
    else {
      remove(key)
      return nil
    }
    return Slot(key: key, response: response, metadata: metadata)
  }

  /// Returns the keys of the slots beyond the first.
  ///
  /// - Parameter isUse: `true` to count this as a use of the list. Without it, the list would be evicted before the slots
  ///   that are read, which then cannot be found.
  func listedKeys(of url: String, in store: DiskStore, isUse: Bool = false) -> [String] {
    let key = Self.listKey(of: url)
    guard store.contains(key), let metadata = isUse ? store.entry(for: key)?.metadata : store.metadata(for: key),
      metadata.kind == Self.listKind
    else { return [] }
    return String(decoding: metadata.attributes, as: UTF8.self).split(separator: "\n").map { "\(url)\nvariant \($0)" }
  }

  /// Returns the body of a stored response, read on the calling thread; `nil` if it is gone, damaged or replaced.
  func body(of slot: Slot) -> Data? {
    guard let store else { return nil }
    if let body = store.body(of: slot.metadata) { return body }
    guard let entry = store.entry(for: slot.key), let now = StoredResponse(encoded: entry.metadata.attributes),
      now.representation == slot.response.representation, now.content == slot.response.content
    else { return nil }
    return entry.data
  }

  /// Schedules the sweep that follows this use. A released cache closes its files at once, without it.
  private func awaitSweep() {
    let isDue = state.withLock { !exchange(&$0.isSweepAwaited, with: true) }
    guard isDue else { return }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 30) { [weak self] in
      guard let self else { return }
      state.withLock { $0.isSweepAwaited = false }
      store?.sweep()
    }
  }
}

extension StoredResponse.Content {
  /// The number of bytes of the body on the disk.
  var storedLength: Int? {
    switch self {
    case .whole(let length): length
    case .part(_, let count, _): count
    }
  }
}
