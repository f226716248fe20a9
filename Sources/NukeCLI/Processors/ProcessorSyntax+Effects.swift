#if Command
  import Foundation
  import Nuke

  /// The processors that change colors and draw on images.
  extension ProcessorSyntax {
    static let effects: [ProcessorSyntax] = [
      ProcessorSyntax(
        "flatten", ["", "COLOR"], "Draw over an opaque color, so that nothing is transparent. The default is white."
      ) { arguments in ImageProcessors.Flatten(color: try arguments.color("color", word: true) ?? .white) },
      ProcessorSyntax(
        "overlay", ["FILE[,GRAVITY][,margin=PIXELS][,opacity=SHARE][,scale=SHARE]", "FILE,mode=MODE[,…]"],
        """
        Draw the image in a file on top, such as a watermark. The default position is the lower right. A SHARE is from 0 \
        to 1. The scale is relative to the width of the image. A MODE is one of blend's.
        """
      ) { arguments in
        let gravity = arguments.gravity() ?? .bottomRight
        let margin = try arguments.number("margin", in: 0...100_000)
        let opacity = try arguments.number("opacity", in: 0...1)
        let scale = try arguments.number("scale", in: 0.001...1)
        let mode = try arguments.choice("mode", of: BlendMode.self)
        let file = try arguments.image("file", word: true).required("the path of an image")
        return ImageProcessors.Overlay(
          image: file.image, id: file.id, gravity: gravity, margin: margin ?? 0, unit: .pixels, opacity: opacity ?? 1,
          scale: scale.map { CGFloat($0) }, mode: mode ?? .normal)
      },
      ProcessorSyntax(
        "blend", ["COLOR[,mode=MODE]"],
        "Draw a color on top. A MODE is " + BlendMode.allCases.map(\.rawValue.kebabCase).joined(separator: ", ") + "."
      ) { arguments in
        let mode = try arguments.choice("mode", of: BlendMode.self) ?? .normal
        return ImageProcessors.Blend(color: try arguments.color("color", word: true).required("a color"), mode: mode)
      },
      ProcessorSyntax(
        "sharpen", ["", "RADIUS[,amount=FACTOR]", "amount=FACTOR"],
        "Sharpen edges. The default radius is 1 pixel, and the default amount 0.5."
      ) { arguments in
        let amount = try arguments.number("amount", in: 0...100)
        let radius = try arguments.number("radius", word: true, in: 0...10_000)
        return ImageProcessors.Sharpen(radius: radius ?? 1, amount: amount ?? 0.5)
      },
      ProcessorSyntax(
        "gaussian-blur", ["", "RADIUS"], "Blur. The radius is a standard deviation in pixels; the default is 8."
      ) { arguments in
        let radius = try arguments.number("radius", word: true, in: 0...10_000)
        guard let whole = Int(exactly: radius ?? 8) else {
          throw ProcessorArguments.Failure(
            "radius must be a whole number; core-image-filter:CIGaussianBlur takes fractions")
        }
        return ImageProcessors.GaussianBlur(radius: whole)
      },
      ProcessorSyntax(
        "core-image-filter", ["NAME[,KEY=VALUE]…"],
        """
        Apply a filter by its Core Image name, such as CISepiaTone. nuke filters lists filters and keys. Separate the \
        numbers of a vector by colons. An image is the path of a file.
        """, make: coreImageFilter),
    ]

    private static func coreImageFilter(_ arguments: inout ProcessorArguments) throws -> any ImageProcessing {
      let name = try arguments.word().required("the name of a filter")
      guard let filter = try? ImageFilters.filter(named: name) else {
        throw ProcessorArguments.Failure(
          "there is no filter \(name).\(name.nearest(of: ImageFilters.names)) See nuke filters")
      }
      var identifier = "org.nuke.core_image?name=\(name)"
      var values: [String: Any] = [:]
      for parameter in filter.parameters {
        guard let (text, value) = try arguments.filterValue(parameter) else { continue }
        values[parameter.key] = value
        identifier += ",\(parameter.key)=\(text)"
      }
      if let unknown = arguments.names.first {
        let keys = filter.parameters.isEmpty ? "none" : filter.parameters.map(\.key).joined(separator: ", ")
        throw ProcessorArguments.Failure("\(name) has no key \(unknown); it has \(keys)")
      }
      // A missing value is an error now, not when the first image is processed.
      _ = try ImageFilterValues(values, for: filter)
      return values.isEmpty
        ? ImageProcessors.CoreImageFilter(name: name)
        : ImageProcessors.CoreImageFilter(name: name, parameters: values, identifier: identifier)
    }
  }
#endif
