/// The processors of a request in order, with a hash for each prefix of the list.
///
/// Comparing and hashing run code of the program. Hashes are computed once, when the chain is created.
final class ProcessorChain: @unchecked Sendable {
  /// The identifiers of the processors. The processors are `Sendable`, which `AnyHashable` cannot express.
  let processors: [AnyHashable]
  /// `hashes[n]` is the hash of the first `n + 1` processors.
  private let hashes: [Int]
  /// A mark that is shared by chains that were found to be equal.
  private let mark = OnceReference<Mark>()

  private final class Mark: Sendable {}

  /// Returns `nil` if there are no processors.
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

  /// A number that is equal for chains that are known to be equal.
  var address: UInt {
    let mark = mark.address
    return mark != 0 ? mark : UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
  }

  /// Records that the other chain is equal.
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
