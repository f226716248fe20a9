import Foundation
import Nuke
import Synchronization

/// A processor of version 4 as one of today's.
struct ProcessorStep: ImageProcessing, Hashable {
  private let base: any Processing
  /// Version 4's processors have no names. This one is never used again, so that no other processor finds on disk what
  /// this one has made.
  let identifier: String

  private static let launch = UUID().uuidString
  private static let count = Atomic<Int>(0)

  init(_ base: any Processing) {
    self.base = base
    let number = Self.count.add(1, ordering: .relaxed).newValue
    identifier = "NukeLegacy/\(type(of: base))/\(Self.launch)/\(number)"
  }

  func process(_ image: PlatformImage) -> PlatformImage? { base.process(image) }

  var hashableIdentifier: AnyHashable { AnyHashable(self) }

  static func == (lhs: ProcessorStep, rhs: ProcessorStep) -> Bool { lhs.base.isEqual(to: rhs.base) }

  func hash(into hasher: inout Hasher) {
    // A processor need not be hashable; then all of its type share a hash.
    if let hashable = base as? any Hashable {
      hashable.hash(into: &hasher)
    } else {
      hasher.combine(ObjectIdentifier(type(of: base)))
    }
  }
}

extension Processing {
  fileprivate func isEqual(to other: any Processing) -> Bool { (other as? Self) == self }
}
