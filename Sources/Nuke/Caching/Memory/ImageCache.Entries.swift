import Foundation
import NukeBase

extension ImageCache {
  /// The limits and the totals.
  struct Accounting {
    var costLimit: Int
    var countLimit: Int
    var entryCostLimit = 0.1
    var ttl: TimeInterval?
    var totalCost = 0
    var totalCount = 0

    /// Returns `true` if an image of this cost can be stored.
    func takes(cost: Int) -> Bool { Double(cost) <= Double(costLimit) * entryCostLimit }
  }

  /// Removed entries, to be released outside the locks. Freeing pixels takes time, and a key may hold the last
  /// reference to an object of the program.
  struct Removed {
    private var first: Part.Entry?
    private var others: [Part.Entry] = []

    var count: Int { (first == nil ? 0 : 1) + others.count }

    mutating func append(_ entry: Part.Entry) {
      if first == nil { first = entry } else { others.append(entry) }
    }
  }

  /// The entries of the cache. Implements look-ups, storing and eviction.
  ///
  /// Changes take place one at a time: they hold the lock of `accounting`, and within it that of a part. A look-up
  /// takes only the lock of its part.
  final class Entries: Sendable {
    fileprivate let parts = Parts()
    let accounting: Lock<Accounting>
    fileprivate let now: @Sendable () -> TimeInterval

    init(costLimit: Int, countLimit: Int, now: @escaping @Sendable () -> TimeInterval) {
      accounting = Lock(Accounting(costLimit: costLimit, countLimit: countLimit))
      self.now = now
    }
  }
}

extension ImageCache.Entries {
  typealias Parts = ImageCache.Parts
  typealias Part = ImageCache.Part
  typealias Answers = ImageCache.Answers
  typealias Accounting = ImageCache.Accounting
  typealias Removed = ImageCache.Removed

  /// Returns the image of `key`.
  ///
  /// - Parameter isUse: `true` to make the image the most recently used.
  func find(_ key: ImageCacheKey, isUse: Bool) -> ImageContainer? {
    enum Outcome {
      case found(ImageContainer?)
      case expired
      case question(RequestIdentity)
    }
    let hash = key.imageHash
    let index = Parts.index(of: hash)
    var answers = Answers()
    while true {
      let outcome: Outcome = parts.withPart(index) { part, order in
        switch part.find(key, hash: hash, answers: answers) {
        case .absent: return .found(nil)
        case .question(let identity): return .question(identity)
        case .place(let place):
          // The clock is read only for entries that expire.
          let expires = part.expires(place)
          if expires != .infinity, expires <= now() { return .expired }
          if isUse { part.use(place, order) }
          return .found(part.container(place))
        }
      }
      switch outcome {
      case .found(let container): return container
      case .expired:
        if isUse { remove(key, ifExpiredBy: now()) }
        return nil
      case .question(let identity): answers.answer(identity, for: key)
      }
    }
  }

  func store(_ container: ImageContainer, for key: ImageCacheKey) {
    let cost = container.cost
    let hash = key.imageHash
    var isWithinLimits = true
    change(key) { accounting, removed, answers in
      // The existing image of the key is outdated.
      guard accounting.takes(cost: cost) else {
        return take(key, ifExpiredBy: .infinity, &accounting, &removed, answers)
      }
      let expires = accounting.ttl.map { now() + $0 } ?? .infinity
      let question: RequestIdentity? = parts.withPart(Parts.index(of: hash)) { part, order in
        switch part.find(key, hash: hash, answers: answers) {
        case .question(let identity): return identity
        case .absent:
          part.insert(
            Part.Entry(key: key, container: container, cost: cost, expires: expires, used: order.write()), hash: hash)
          accounting.totalCount += 1
          accounting.totalCost += cost
        case .place(let place):
          let old = part.replace(
            place,
            with: Part.Entry(key: key, container: container, cost: cost, expires: expires, used: order.write()))
          accounting.totalCost += cost - old.cost
          removed.append(old)
        }
        return nil
      }
      if question == nil {
        isWithinLimits = trim(&accounting, toCost: accounting.costLimit, count: accounting.countLimit, &removed)
      }
      return question
    }
    if !isWithinLimits { trimToLimits() }
  }

  /// - Parameter time: the image is removed only if it expires by this time.
  func remove(_ key: ImageCacheKey, ifExpiredBy time: TimeInterval = .infinity) {
    change(key) { accounting, removed, answers in take(key, ifExpiredBy: time, &accounting, &removed, answers) }
  }

  func trim(toCost cost: Int, count: Int) { trim { _ in (cost, count) } }

  /// Evicts the least recently used images until the cost is at most the given fraction of the current cost.
  func trim(toPart part: Double) {
    let cost = accounting.withLock { Int(Double($0.totalCost) * part) }
    trim(toCost: cost, count: .max)
  }

  /// Changes a limit, and applies it at once.
  func changeLimit(_ body: (inout Accounting) -> Void) {
    accounting.withLock { body(&$0) }
    trimToLimits()
  }

  private func trimToLimits() { trim { ($0.costLimit, $0.countLimit) } }

  /// Evicts the least recently used images, until a cost and a count.
  private func trim(to target: (borrowing Accounting) -> (cost: Int, count: Int)) {
    while true {
      var removed = Removed()
      let isDone = accounting.withLock {
        let (cost, count) = target($0)
        return trim(&$0, toCost: cost, count: count, &removed)
      }
      if isDone { return }
    }
  }

  /// Runs `change` under the lock of `accounting`. Repeats it while it asks to compare `key` with an identity, which
  /// must happen outside the lock.
  private func change(
    _ key: ImageCacheKey, _ change: (inout Accounting, inout Removed, Answers) -> RequestIdentity?
  ) {
    var removed = Removed()
    var answers = Answers()
    while let question = accounting.withLock({ change(&$0, &removed, answers) }) {
      answers.answer(question, for: key)
    }
  }

  /// Removes the image of a key. Returns the identity to compare if the processors must be compared first.
  private func take(
    _ key: ImageCacheKey, ifExpiredBy time: TimeInterval, _ accounting: inout Accounting, _ removed: inout Removed,
    _ answers: Answers
  ) -> RequestIdentity? {
    let hash = key.imageHash
    return parts.withPart(Parts.index(of: hash)) { part, _ in
      switch part.find(key, hash: hash, answers: answers) {
      case .absent: return nil
      case .question(let identity): return identity
      case .place(let place):
        guard part.expires(place) <= time else { return nil }
        note(part.remove(place), &accounting, &removed)
        return nil
      }
    }
  }

  /// The maximum number of images that are removed while others wait for the lock. A million would take a second.
  static var sliceCount: Int { 4096 }

  /// Evicts the least recently used images.
  ///
  /// - Returns: `false` if there are more to evict than one slice.
  private func trim(
    _ accounting: inout Accounting, toCost cost: Int, count: Int, _ removed: inout Removed
  ) -> Bool {
    while accounting.totalCount > 0, accounting.totalCost > cost || accounting.totalCount > count {
      guard removed.count < Self.sliceCount else { return false }
      parts.withPart(parts.indexOfOldest) { part, _ in
        if let oldest = part.removeOldest() { note(oldest, &accounting, &removed) }
      }
    }
    return true
  }

  private func note(_ entry: Part.Entry, _ accounting: inout Accounting, _ removed: inout Removed) {
    accounting.totalCount -= 1
    accounting.totalCost -= entry.cost
    removed.append(entry)
  }
}
