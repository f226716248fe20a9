#if Redis
  import Foundation

  /// What is to be changed on the server and has not been yet: a plain value. The last change of a key is the one that
  /// counts.
  struct RedisChanges {
    enum Change {
      /// With the milliseconds that it is kept.
      case store(Data, milliseconds: Int)
      case remove
    }

    struct Staged {
      let number: UInt64
      let key: String
      let change: Change
      let cost: Int
    }

    enum Lookup {
      case data(Data)
      case removed
      /// What the server has counts.
      case none
    }

    /// Bytes that may wait.
    let byteLimit: Int
    private(set) var byteCount = 0
    private var staged: [String: Staged] = [:]
    /// Keys in the order of their changes, with those that have been changed since.
    private var order: [(number: UInt64, key: String)] = []
    private var lastNumber: UInt64 = 0
    /// The removal of all that comes before the staged changes.
    private(set) var removalOfAll: UInt64?
    /// What is to be told when a key is not staged any more.
    private var followers: [String: [@Sendable () -> Void]] = [:]

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    var isEmpty: Bool { staged.isEmpty && removalOfAll == nil && followers.isEmpty }

    subscript(key: String) -> Lookup {
      switch staged[key]?.change {
      case .store(let data, _): .data(data)
      case .remove: .removed
      case nil: removalOfAll == nil ? .none : .removed
      }
    }

    /// - Returns: `true` if there was room. Otherwise what the server has for the key is to be removed, so that nobody
    ///   is given old data for new.
    mutating func store(_ data: Data, for key: String, milliseconds: Int) -> Bool {
      let cost = data.count + key.utf8.count
      drop(key)
      guard byteCount + cost <= byteLimit else {
        remove(key)
        return false
      }
      add(.store(data, milliseconds: milliseconds), for: key, cost: cost)
      return true
    }

    /// Removals have a limit of their own, so that they are not lost to a full backlog.
    mutating func remove(_ key: String) {
      drop(key)
      let cost = key.utf8.count
      if byteCount + cost <= byteLimit + byteLimit / 2 { add(.remove, for: key, cost: cost) }
    }

    /// Removes what the server has, where nothing else is to come of the key.
    mutating func removeUnlessChanged(_ key: String) {
      if case .none = self[key] { remove(key) }
    }

    mutating func removeAll() {
      staged = [:]
      order = []
      byteCount = 0
      lastNumber += 1
      removalOfAll = lastNumber
    }

    /// The oldest changes, of at most `bytes` bytes and `count` keys, at least one if there are any. They stay staged.
    func batch(bytes: Int, count: Int) -> [Staged] {
      var (left, batch) = (bytes, [Staged]())
      for (number, key) in order {
        guard let change = staged[key], change.number == number else { continue }
        guard batch.isEmpty || (change.cost <= left && batch.count < count) else { break }
        left -= change.cost
        batch.append(change)
      }
      return batch
    }

    /// What was changed is no longer staged, unless it has been changed since.
    mutating func finish(_ changes: [Staged]) {
      for change in changes where staged[change.key]?.number == change.number { drop(change.key) }
      compact()
    }

    mutating func finishRemovalOfAll(_ number: UInt64) {
      if removalOfAll == number { removalOfAll = nil }
    }

    /// Gives up what was to be stored; what was to be removed stays, for later.
    ///
    /// - Returns: how many values that were.
    mutating func giveUpStoring() -> Int {
      let values = staged.values.filter { if case .store = $0.change { true } else { false } }
      finish(values)
      return values.count
    }

    // MARK: Followers

    /// Has `body` told when the change of `key` is done with.
    ///
    /// - Returns: `false` if there is none.
    mutating func follow(_ key: String, _ body: @escaping @Sendable () -> Void) -> Bool {
      guard staged[key] != nil else { return false }
      followers[key, default: []].append(body)
      return true
    }

    /// Those whose keys are not staged any more, or all.
    mutating func takeFollowers(all: Bool = false) -> [@Sendable () -> Void] {
      if followers.isEmpty { return [] }
      let done = followers.keys.filter { all || staged[$0] == nil }
      return done.flatMap { followers.removeValue(forKey: $0) ?? [] }
    }

    private mutating func add(_ change: Change, for key: String, cost: Int) {
      lastNumber += 1
      staged[key] = Staged(number: lastNumber, key: key, change: change, cost: cost)
      byteCount += cost
      order.append((lastNumber, key))
      // Storing one key again and again must not let this grow.
      compact()
    }

    private mutating func compact() {
      if order.count > 2 * staged.count + 64 { order = order.filter { staged[$0.key]?.number == $0.number } }
    }

    private mutating func drop(_ key: String) {
      if let dropped = staged.removeValue(forKey: key) { byteCount -= dropped.cost }
    }
  }
#endif
