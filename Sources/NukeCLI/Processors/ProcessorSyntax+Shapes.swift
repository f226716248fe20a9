import Foundation
import Nuke

/// What cuts images to a shape, and draws along its edge.
extension ProcessorSyntax {
  static let shapes: [ProcessorSyntax] = [
    ProcessorSyntax(
      "circle", ["", "border=PIXELS[,color=COLOR]"],
      "Cut the middle to a circle, perhaps with a line along its edge."
    ) { arguments throws(ProcessorArguments.Failure) in ImageProcessors.Circle(border: try arguments.border()) },
    ProcessorSyntax(
      "ellipse", ["", "border=PIXELS[,color=COLOR]"], "Cut to the ellipse that fills the image."
    ) { arguments throws(ProcessorArguments.Failure) in ImageProcessors.Ellipse(border: try arguments.border()) },
    ProcessorSyntax(
      "roundedCorners", ["RADIUS[,border=PIXELS[,color=COLOR]]"],
      "Round the corners. A COLOR is RRGGBB, RRGGBBAA, or a name such as white."
    ) { arguments throws(ProcessorArguments.Failure) in
      let border = try arguments.border()
      let radius = try arguments.number("radius", word: true, in: 0...100_000)
      guard let radius else { throw .init("it takes a radius in pixels") }
      return ImageProcessors.RoundedCorners(radius: radius, unit: .pixels, border: border)
    },
    ProcessorSyntax(
      "border", ["PIXELS[,color=COLOR]"], "Draw a line along the inside of the edges, black unless named."
    ) {
      arguments throws(ProcessorArguments.Failure) in
      let color = try arguments.color("color") ?? .black
      guard let width = try arguments.number("width", word: true, in: 0...10_000) else {
        throw .init("it takes a width in pixels")
      }
      return ImageProcessors.Border(.init(color: color, width: width, unit: .pixels))
    },
  ]
}
