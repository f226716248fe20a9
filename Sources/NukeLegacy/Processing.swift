import Foundation
import Nuke
import Synchronization

/// Processes images on worker threads.
///
/// Equal processors must have equal results, since requests with equal processors share a result.
public protocol Processing: Equatable, Sendable {
  /// Returns the processed image, or `nil` if processing fails, in which case the load fails.
  func process(_ image: Image) -> Image?
}

/// Returns the image unchanged, since decoding leaves nothing compressed. The default processor of requests.
public struct Decompressor: Processing {
  /// Creates a processor that changes nothing.
  public init() {}

  public func process(_ image: Image) -> Image? { image }
}

/// A type-erased processor. Two are equal if their processors are equal, in the same order.
public struct AnyProcessor: Processing {
  /// The processors, without those that do nothing.
  let steps: [ProcessorStep]

  /// Creates a type-erased processor.
  public init<P: Processing>(_ processor: P) {
    switch processor {
    case let any as AnyProcessor: self = any
    case is Decompressor: steps = []
    default: steps = [ProcessorStep(processor)]
    }
  }

  private init(steps: [ProcessorStep]) { self.steps = steps }

  public func process(_ image: Image) -> Image? {
    steps.reduce(image as Image?) { image, step in image.flatMap(step.process) }
  }

  /// Returns a processor that runs this one, and then `last`.
  func followed(by last: AnyProcessor) -> AnyProcessor { AnyProcessor(steps: steps + last.steps) }
}

/// Adapts a ``Processing`` to `ImageProcessing`.
struct ProcessorStep: ImageProcessing, Hashable {
  private let base: any Processing
  /// Processors of version 4 have no identifiers. This one is unique, so that no other processor finds its results on
  /// disk.
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
    // Processors that are not hashable share the hash of their type.
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
