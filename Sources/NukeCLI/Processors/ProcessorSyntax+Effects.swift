import Foundation
import Nuke

/// What changes the pixels of images in their places.
extension ProcessorSyntax {
  static let effects: [ProcessorSyntax] = [
    ProcessorSyntax(
      "flatten", ["", "COLOR"], "Lay over an even color, white unless given, so that nothing shines through."
    ) {
      arguments throws(ProcessorArguments.Failure) in
      ImageProcessors.Flatten(color: try arguments.color("color", word: true) ?? .white)
    },
    ProcessorSyntax(
      "overlay", ["FILE[,GRAVITY][,margin=PIXELS][,opacity=SHARE][,scale=SHARE]", "FILE,mode=MODE[,…]"],
      """
      Lay the image in a file over it, such as a watermark, at the lower right unless told. A SHARE is from 0 to 1; a \
      scale is that of the image's width. A MODE is one of blend's.
      """, make: overlay),
    ProcessorSyntax(
      "blend", ["COLOR[,mode=MODE]"],
      "Lay an even color over the image. A MODE is " + BlendMode.allCases.map(\.rawValue).joined(separator: ", ")
        + "."
    ) { arguments throws(ProcessorArguments.Failure) in
      let mode = try arguments.choice("mode", of: BlendMode.self) ?? .normal
      guard let color = try arguments.color("color", word: true) else { throw .init("it takes a color") }
      return ImageProcessors.Blend(color: color, mode: mode)
    },
    ProcessorSyntax(
      "sharpen", ["", "RADIUS[,amount=TIMES]", "amount=TIMES"],
      "Make edges clearer, by so many pixels (1) and so many times (0.5)."
    ) { arguments throws(ProcessorArguments.Failure) in
      let amount = try arguments.number("amount", in: 0...100)
      let radius = try arguments.number("radius", word: true, in: 0...10_000)
      return ImageProcessors.Sharpen(radius: radius ?? 1, amount: amount ?? 0.5)
    },
    ProcessorSyntax("gaussianBlur", ["", "RADIUS"], "Blur by so many pixels (a standard deviation; 8 unless given).") {
      arguments throws(ProcessorArguments.Failure) in
      let radius = try arguments.number("radius", word: true, in: 0...10_000)
      return ImageProcessors.GaussianBlur(radius: Int(radius ?? 8))
    },
    ProcessorSyntax(
      "coreImageFilter", ["NAME[,KEY=VALUE]…"],
      """
      A filter by its Core Image name, such as CISepiaTone; nuke filters lists them with their keys. Numbers of a vector \
      have colons between them; an image is the path of a file.
      """, make: coreImageFilter),
  ]

  private static func overlay(
    _ arguments: inout ProcessorArguments
  ) throws(ProcessorArguments.Failure) -> any ImageProcessing {
    let gravity = arguments.gravity() ?? .bottomRight
    let margin = try arguments.number("margin", in: 0...100_000)
    let opacity = try arguments.number("opacity", in: 0...1)
    let scale = try arguments.number("scale", in: 0.001...1)
    let mode = try arguments.choice("mode", of: BlendMode.self)
    guard let picture = try arguments.picture("file", word: true) else { throw .init("it takes the path of an image") }
    return ImageProcessors.Overlay(
      image: picture.image, id: picture.id, gravity: gravity, margin: margin ?? 0, unit: .pixels, opacity: opacity ?? 1,
      scale: scale.map { CGFloat($0) }, mode: mode ?? .normal)
  }

  private static func coreImageFilter(
    _ arguments: inout ProcessorArguments
  ) throws(ProcessorArguments.Failure) -> any ImageProcessing {
    guard let name = arguments.word() else { throw .init("it takes the name of a filter") }
    guard let filter = try? ImageFilters.filter(named: name) else {
      throw .init("there is no filter \(name).\(name.nearest(of: ImageFilters.names)) See nuke filters")
    }
    do {
      var identifier = "org.nuke.core_image?name=\(name)"
      var values: [String: Any] = [:]
      for parameter in filter.parameters {
        guard let (text, value) = try arguments.filterValue(parameter) else { continue }
        values[parameter.key] = value
        identifier += ",\(parameter.key)=\(text)"
      }
      if let unknown = arguments.names.first {
        let hint = filter.parameters.isEmpty ? "none" : filter.parameters.map(\.key).joined(separator: ", ")
        throw ProcessorArguments.Failure("\(name) has no key \(unknown); it has \(hint)")
      }
      // What is missing is said now, not when the first image is there.
      _ = try ImageFilterValues(values, for: filter)
      return values.isEmpty
        ? ImageProcessors.CoreImageFilter(name: name)
        : ImageProcessors.CoreImageFilter(name: name, parameters: values, identifier: identifier)
    } catch let failure as ProcessorArguments.Failure {
      throw failure
    } catch {
      throw ProcessorArguments.Failure("\(error)")
    }
  }
}
