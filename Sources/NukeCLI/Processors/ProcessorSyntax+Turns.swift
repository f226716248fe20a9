import Foundation
import Nuke

/// What turns images.
extension ProcessorSyntax {
  static let turns: [ProcessorSyntax] = [
    ProcessorSyntax(
      "rotate", ["DEGREES"],
      "Turn clockwise. What lies beyond an image that is turned by other than 90° is transparent."
    ) { arguments throws(ProcessorArguments.Failure) in
      guard let degrees = try arguments.number("degrees", word: true, in: -3600...3600) else {
        throw .init("it takes an angle in degrees")
      }
      return ImageProcessors.Rotate(degrees: degrees)
    },
    ProcessorSyntax("flip", ["horizontal", "vertical"], "Mirror: left and right, or top and bottom, change places.") {
      arguments throws(ProcessorArguments.Failure) in
      if arguments.flag("horizontal") { return ImageProcessors.Flip(.horizontal) }
      if arguments.flag("vertical") { return ImageProcessors.Flip(.vertical) }
      throw .init("it takes horizontal or vertical")
    },
  ]
}
