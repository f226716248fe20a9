/// A processor of any type. Equal to another where what they do is equal, in the same order.
public struct AnyProcessor: Processing {
  /// In order, and without those that do nothing.
  let steps: [ProcessorStep]

  /// A processor that does what `processor` does.
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

  /// A processor that does what this one does, and then what `last` does.
  func followed(by last: AnyProcessor) -> AnyProcessor { AnyProcessor(steps: steps + last.steps) }
}
