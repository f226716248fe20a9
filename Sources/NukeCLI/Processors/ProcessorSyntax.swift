import Foundation
package import Nuke

/// How one processor is written on the command line. The table is all there is to add a processor to.
package struct ProcessorSyntax: Sendable {
  package let name: String
  /// What can stand behind the name and its colon, one way of writing it each.
  package let forms: [String]
  /// What it does, as one phrase.
  package let summary: String
  let make: @Sendable (inout ProcessorArguments) throws(ProcessorArguments.Failure) -> any ImageProcessing

  init(
    _ name: String, _ forms: [String], _ summary: String,
    make: @escaping @Sendable (inout ProcessorArguments) throws(ProcessorArguments.Failure) -> any ImageProcessing
  ) {
    self.name = name
    self.forms = forms
    self.summary = summary
    self.make = make
  }

  package static let all: [ProcessorSyntax] = [
    ProcessorSyntax(
      "resize", ["WxH[,fill|,crop][,upscale]", "width=PIXELS[,upscale]", "height=PIXELS[,upscale]"],
      "Fit into so many pixels, or cover them (fill), and cut off what sticks out (crop).", make: resize),
    ProcessorSyntax(
      "circle", ["", "border=PIXELS[,color=COLOR]"],
      "Cut the middle to a circle, perhaps with a line along its edge."
    ) { arguments throws(ProcessorArguments.Failure) in ImageProcessors.Circle(border: try arguments.border()) },
    ProcessorSyntax(
      "roundedCorners", ["RADIUS[,border=PIXELS[,color=COLOR]]"],
      "Round the corners. A COLOR is RRGGBB, RRGGBBAA, or a name such as white."
    ) { arguments throws(ProcessorArguments.Failure) in
      let radius = try arguments.number("radius", word: true, in: 0...100_000)
      guard let radius else { throw .init("it takes a radius in pixels") }
      return ImageProcessors.RoundedCorners(radius: radius, unit: .pixels, border: try arguments.border())
    },
    ProcessorSyntax("gaussianBlur", ["", "RADIUS"], "Blur by so many pixels (a standard deviation; 8 unless given).") {
      arguments throws(ProcessorArguments.Failure) in
      let radius = try arguments.number("radius", word: true, in: 0...10_000)
      return ImageProcessors.GaussianBlur(radius: Int(radius ?? 8))
    },
    ProcessorSyntax("coreImageFilter", ["NAME"], "A filter by its Core Image name, such as CISepiaTone.") {
      arguments throws(ProcessorArguments.Failure) in
      guard let name = arguments.word() else { throw .init("it takes the name of a filter") }
      return ImageProcessors.CoreImageFilter(name: name)
    },
  ]

  /// The table as lines of a help text.
  package static var help: String {
    all.flatMap { syntax in
      syntax.written.map { "  " + $0 } + syntax.summary.lines(of: 72).map { "      " + $0 }
    }.joined(separator: "\n")
  }

  /// The processor that `specification` names, such as `resize:300x200,crop`.
  package static func processor(
    _ specification: String
  ) throws(ProcessorArguments.Failure) -> any ImageProcessing {
    let colon = specification.firstIndex(of: ":") ?? specification.endIndex
    let name = String(specification[..<colon])
    guard let syntax = all.first(where: { $0.name == name }) else { throw unknown(name) }
    do {
      var arguments = try ProcessorArguments(specification[colon...].dropFirst())
      let processor = try syntax.make(&arguments)
      try arguments.end()
      return processor
    } catch {
      throw ProcessorArguments.Failure(
        "\(error.description). It is written " + syntax.written.joined(separator: " or "))
    }
  }

  /// The ways of writing it, in full.
  private var written: [String] { forms.map { $0.isEmpty ? name : "\(name):\($0)" } }

  private static func unknown(_ name: String) -> ProcessorArguments.Failure {
    let near = all.map(\.name).min { $0.editDistance(to: name) < $1.editDistance(to: name) }
    let isNear = near.map { $0.editDistance(to: name) <= max(1, $0.count / 3) || $0.lowercased() == name.lowercased() }
    let hint = isNear == true ? " Did you mean \(near!)?" : ""
    return ProcessorArguments.Failure(
      "there is no processor \"\(name)\".\(hint) There are: \(all.map(\.name).joined(separator: ", "))")
  }

  private static func resize(
    _ arguments: inout ProcessorArguments
  ) throws(ProcessorArguments.Failure) -> any ImageProcessing {
    let crop = arguments.flag("crop")
    let fill = arguments.flag("fill")
    let upscale = arguments.flag("upscale")
    let pixels = 1...Double(PixelSize.allowed.upperBound)
    let width = try arguments.number("width", in: pixels)
    let height = try arguments.number("height", in: pixels)
    let size = try arguments.size()
    guard [width != nil, height != nil, size != nil].count(where: { $0 }) == 1 else {
      throw .init("it takes one of a size, a width and a height")
    }
    if let width, !crop, !fill { return ImageProcessors.Resize(width: width, unit: .pixels, upscale: upscale) }
    if let height, !crop, !fill { return ImageProcessors.Resize(height: height, unit: .pixels, upscale: upscale) }
    guard let size else { throw .init("crop and fill need both sides") }
    return ImageProcessors.Resize(
      size: CGSize(width: size.width, height: size.height), unit: .pixels,
      contentMode: crop || fill ? .aspectFill : .aspectFit, crop: crop, upscale: upscale)
  }
}
