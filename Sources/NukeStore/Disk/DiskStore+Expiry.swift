package import Foundation
import Synchronization

/// Expiry by age.
///
/// The age of an entry is the time since it was stored, which its metadata contains. So all processes that share a folder
/// agree about the age of an entry, and each has its own maximum. Entries for the library's own use do not expire: they
/// describe other entries.
extension DiskStore {
  /// The maximum age of entries, in seconds; `nil` for none. Values that are not finite count as `nil`, and negative
  /// ones as 0.
  package var maximumAge: TimeInterval? {
    get {
      let age = maximumAgeInNanoseconds.load(ordering: .relaxed)
      return age == Self.unlimitedAge ? nil : TimeInterval(age) / 1e9
    }
    set {
      // Ages that 64 bits cannot represent, about 292 years, are not limited either.
      let age = newValue.flatMap { $0.isFinite ? Int64(exactly: ($0 * 1e9).rounded()) : nil }
      maximumAgeInNanoseconds.store(age.map { max(0, $0) } ?? Self.unlimitedAge, ordering: .relaxed)
    }
  }

  static let unlimitedAge = Int64.max

  /// `true` if entries can expire.
  var limitsAge: Bool { maximumAgeInNanoseconds.load(ordering: .relaxed) != Self.unlimitedAge }

  /// Entries that were created before this time are expired, in nanoseconds since 1970; `nil` if none are.
  private var expiry: Int64? {
    let age = maximumAgeInNanoseconds.load(ordering: .relaxed)
    if age == Self.unlimitedAge { return nil }
    let (expiry, isOverflow) = options.now().subtractingReportingOverflow(age)
    return isOverflow ? nil : expiry
  }

  func isExpired(created: Int64) -> Bool { expiry.map { created < $0 } ?? false }

  func isExpired(_ metadata: DiskMetadata) -> Bool { isExpired(created: Self.creation(of: metadata)) }

  /// Returns the time from which the age of an entry counts; the last possible one for entries that do not expire.
  static func creation(of metadata: DiskMetadata) -> Int64 {
    metadata.key.hasPrefix(reservedPrefix) ? .max : metadata.created
  }

  /// Removes the expired entries, in several transactions.
  func removeExpired() {
    guard let expiry, let names = transaction(patience: .writing, { _ in index.namesOfUnknownAge }) else { return }
    let folder = index.folder
    for name in names {
      if case .whole(let found) = folder.metadata(name) { index.noteCreated(name, Self.creation(of: found.metadata)) }
    }
    var expired = transaction(patience: .writing) { _ in index.names(createdBefore: expiry) } ?? []
    if !expired.isEmpty { inSlices { $0.removeExpired(&expired, until: $1) } }
  }
}

extension DiskStore.Transaction {
  /// Removes those of `names` that are expired, from the end, until `deadline`.
  ///
  /// The metadata is read again: without the lock, it may have been read just before the entry was replaced.
  ///
  /// - Returns: `true` if some are left.
  fileprivate mutating func removeExpired(_ names: inout [DiskEntryName], until deadline: UInt64) -> Bool {
    while let name = names.popLast() {
      if case .whole(let found) = folder.metadata(name) {
        if store.isExpired(found.metadata) {
          remove(name)
        } else {
          store.index.noteCreated(name, DiskStore.creation(of: found.metadata))
        }
      }
      if store.options.clock() >= deadline { break }
    }
    // A spare file may contain data of a removed entry.
    if names.isEmpty { discardStaged() }
    return !names.isEmpty
  }
}
