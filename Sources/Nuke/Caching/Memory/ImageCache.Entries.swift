import Foundation
import NukeImaging

extension ImageCache {
  /// The limits, and what there is.
  struct Books {
    var costLimit: Int
    var countLimit: Int
    var entryCostLimit = 0.1
    var ttl: TimeInterval?
    var totalCost = 0
    var totalCount = 0

    /// Returns `true` if one image may cost so much.
    func takes(cost: Int) -> Bool { Double(cost) <= Double(costLimit) * entryCostLimit }
  }

  /// What has been removed, to be released outside the locks: freeing pixels takes its time, and keys may hold the last
  /// reference to something of the program's.
  struct Removed {
    private var first: Part.Entry?
    private var others: [Part.Entry] = []

    mutating func append(_ entry: Part.Entry) {
      if first == nil { first = entry } else { others.append(entry) }
    }
  }

  /// All entries: looking up, storing and letting go.
  ///
  /// Changes come one at a time, behind the lock of the books, within which that of a part is taken; a look-up takes that
  /// of its part alone.
  final class Entries: Sendable {
    fileprivate let parts = Parts()
    let books: Lock<Books>
    fileprivate let now: @Sendable () -> TimeInterval

    init(costLimit: Int, countLimit: Int, now: @escaping @Sendable () -> TimeInterval) {
      books = Lock(Books(costLimit: costLimit, countLimit: countLimit))
      self.now = now
    }
  }
}

extension ImageCache.Entries {
  typealias Parts = ImageCache.Parts
  typealias Part = ImageCache.Part
  typealias Answers = ImageCache.Answers
  typealias Books = ImageCache.Books
  typealias Removed = ImageCache.Removed

  /// The image of `key`.
  ///
  /// - Parameter isUse: whether it becomes the most recently used.
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
          // The clock is read for entries that have an end alone.
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
    // An empty image takes a place too.
    let cost = max(1, container.byteCount)
    let hash = key.imageHash
    change(key) { books, removed, answers in
      // What was there under the key is out of date.
      guard books.takes(cost: cost) else {
        return take(key, ifExpiredBy: .infinity, &books, &removed, answers)
      }
      let expires = books.ttl.map { now() + $0 } ?? .infinity
      let question: RequestIdentity? = parts.withPart(Parts.index(of: hash)) { part, order in
        switch part.find(key, hash: hash, answers: answers) {
        case .question(let identity): return identity
        case .absent:
          part.insert(
            Part.Entry(key: key, container: container, cost: cost, expires: expires, used: order.write()), hash: hash)
          books.totalCount += 1
          books.totalCost += cost
        case .place(let place):
          let old = part.replace(
            place,
            with: Part.Entry(key: key, container: container, cost: cost, expires: expires, used: order.write()))
          books.totalCost += cost - old.cost
          removed.append(old)
        }
        return nil
      }
      if question == nil { trimToLimits(&books, &removed) }
      return question
    }
  }

  /// - Parameter time: the image stays where its end lies behind this.
  func remove(_ key: ImageCacheKey, ifExpiredBy time: TimeInterval = .infinity) {
    change(key) { books, removed, answers in take(key, ifExpiredBy: time, &books, &removed, answers) }
  }

  func trim(toCost cost: Int, count: Int) {
    change(nil) { books, removed, _ in
      trim(&books, toCost: cost, count: count, &removed)
      return nil
    }
  }

  /// Removes the least recently used until what is left costs the given part of what there is now.
  func trim(toPart part: Double) {
    change(nil) { books, removed, _ in
      trim(&books, toCost: Int(Double(books.totalCost) * part), count: .max, &removed)
      return nil
    }
  }

  /// Changes a limit, and keeps to it at once.
  func changeLimit(_ body: (inout Books) -> Void) {
    change(nil) { books, removed, _ in
      body(&books)
      trimToLimits(&books, &removed)
      return nil
    }
  }

  /// Runs `change` behind the lock of the books until it has no more questions about `key`.
  private func change(
    _ key: ImageCacheKey?, _ change: (inout Books, inout Removed, Answers) -> RequestIdentity?
  ) {
    var removed = Removed()
    var answers = Answers()
    while let question = books.withLock({ change(&$0, &removed, answers) }), let key {
      answers.answer(question, for: key)
    }
  }

  /// Removes the image of a key; gives a question where there is one.
  private func take(
    _ key: ImageCacheKey, ifExpiredBy time: TimeInterval, _ books: inout Books, _ removed: inout Removed,
    _ answers: Answers
  ) -> RequestIdentity? {
    let hash = key.imageHash
    return parts.withPart(Parts.index(of: hash)) { part, _ in
      switch part.find(key, hash: hash, answers: answers) {
      case .absent: return nil
      case .question(let identity): return identity
      case .place(let place):
        guard part.expires(place) <= time else { return nil }
        note(part.remove(place), &books, &removed)
        return nil
      }
    }
  }

  private func trimToLimits(_ books: inout Books, _ removed: inout Removed) {
    trim(&books, toCost: books.costLimit, count: books.countLimit, &removed)
  }

  private func trim(_ books: inout Books, toCost cost: Int, count: Int, _ removed: inout Removed) {
    while books.totalCount > 0, books.totalCost > cost || books.totalCount > count {
      parts.withPart(parts.indexOfOldest) { part, _ in
        if let oldest = part.removeOldest() { note(oldest, &books, &removed) }
      }
    }
  }

  private func note(_ entry: Part.Entry, _ books: inout Books, _ removed: inout Removed) {
    books.totalCount -= 1
    books.totalCost -= entry.cost
    removed.append(entry)
  }
}
