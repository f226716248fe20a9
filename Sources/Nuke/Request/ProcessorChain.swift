/// The processors of a request in order, with the hash of each beginning of the list.
///
/// Comparing runs code of the program's; hashing does so once, when the chain is made.
final class ProcessorChain: @unchecked Sendable {
  /// The identifiers, of Sendable processors, which `AnyHashable` cannot say.
  let processors: [AnyHashable]
  /// `hashes[n]` stands for the first `n + 1` processors.
  private let hashes: [Int]
  /// Shared by chains that were found equal.
  private let mark = OnceReference<Mark>()

  private final class Mark: Sendable {}

  /// `nil` if there are none.
  convenience init?(_ processors: [any ImageProcessing]) {
    guard !processors.isEmpty else { return nil }
    self.init(identifiers: processors.map(\.hashableIdentifier))
  }

  init(identifiers: [AnyHashable]) {
    processors = identifiers
    var hashes: [Int] = []
    hashes.reserveCapacity(identifiers.count)
    for identifier in identifiers {
      var hasher = Hasher()
      if let last = hashes.last { hasher.combine(last) }
      hasher.combine(identifier)
      hashes.append(hasher.finalize())
    }
    self.hashes = hashes
  }

  /// Equal for chains that are known to be equal.
  var address: UInt {
    let mark = mark.address
    return mark != 0 ? mark : UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
  }

  /// Marks this chain and one that was found equal.
  func noteEqual(_ other: ProcessorChain) {
    let shared = mark.load() ?? mark.storeIfNil(other.mark.load() ?? Mark())
    _ = other.mark.storeIfNil(shared)
  }

  func hash(ofFirst count: Int) -> Int { hashes[count - 1] }

  /// Returns `true` if the first `count` processors of both are equal.
  func begins(like other: ProcessorChain, count: Int) -> Bool {
    for index in 0..<count where processors[index] != other.processors[index] { return false }
    return true
  }
}
