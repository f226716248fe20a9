#if Command
  import Foundation
  import Nuke

  /// The processors that change the size or the outline of images.
  extension ProcessorSyntax {
    static let geometry: [ProcessorSyntax] = [
      ProcessorSyntax(
        "resize",
        ["GEOMETRY[,filter=FILTER][,linear]"],
        """
        Resize, as --size does. A FILTER is lanczos, bilinear, area or nearest. linear averages light instead of sRGB \
        values.
        """, make: resize),
      ProcessorSyntax(
        "crop", ["WxH[,GRAVITY]", "WxH,focus=XxY", "WxH,x=PIXELS,y=PIXELS"],
        """
        Crop to a size. A GRAVITY is center, top, bottom, left, right, top-left, top-right, bottom-left, bottom-right, or \
        attention for the area with the most detail. A focus is a point from 0x0 (upper left) to 1x1 that is kept close \
        to the center. x and y are the position of the upper left corner.
        """, make: crop),
      ProcessorSyntax(
        "pad", ["WxH[,GRAVITY][,color=COLOR]"],
        "Place on a canvas of at least this size. The default color is transparent."
      ) { arguments in
        let gravity = arguments.gravity() ?? .center
        let color = try arguments.color("color") ?? .clear
        let size = try arguments.size().required("a size")
        return ImageProcessors.Pad(size: size, unit: .pixels, color: color, gravity: gravity)
      },
      ProcessorSyntax(
        "rotate", ["DEGREES"], "Rotate clockwise. Corners are transparent if the angle is not a multiple of 90."
      ) { arguments in
        ImageProcessors.Rotate(
          degrees: try arguments.number("degrees", word: true, in: -3600...3600).required("an angle in degrees"))
      },
      ProcessorSyntax("flip", ["horizontal", "vertical"], "Mirror left to right, or top to bottom.") { arguments in
        if arguments.flag("horizontal") { return ImageProcessors.Flip(.horizontal) }
        if arguments.flag("vertical") { return ImageProcessors.Flip(.vertical) }
        throw ProcessorArguments.Failure("it requires horizontal or vertical")
      },
    ]

    static let shapes: [ProcessorSyntax] = [
      ProcessorSyntax(
        "circle", ["", "border=PIXELS[,color=COLOR]"], "Crop to a circle, with an optional border."
      ) { arguments in ImageProcessors.Circle(border: try arguments.border()) },
      ProcessorSyntax(
        "ellipse", ["", "border=PIXELS[,color=COLOR]"], "Crop to the ellipse that fills the image."
      ) { arguments in ImageProcessors.Ellipse(border: try arguments.border()) },
      ProcessorSyntax(
        "rounded-corners", ["RADIUS[,border=PIXELS[,color=COLOR]]"],
        "Round the corners. A COLOR is RRGGBB, RRGGBBAA, or a name such as white."
      ) { arguments in
        let border = try arguments.border()
        let radius = try arguments.number("radius", word: true, in: 0...100_000).required("a radius in pixels")
        return ImageProcessors.RoundedCorners(radius: radius, unit: .pixels, border: border)
      },
      ProcessorSyntax(
        "border", ["PIXELS[,color=COLOR]"], "Draw a line inside the edges. The default color is black."
      ) { arguments in
        let color = try arguments.color("color") ?? .black
        let width = try arguments.number("width", word: true, in: 0...10_000).required("a width in pixels")
        return ImageProcessors.Border(.init(color: color, width: width, unit: .pixels))
      },
    ]

    private static func resize(_ arguments: inout ProcessorArguments) throws -> any ImageProcessing {
      let linear = arguments.flag("linear")
      let filter = try arguments.choice("filter", of: ImageProcessingOptions.ResizeFilter.self) ?? .lanczos
      let text = try arguments.value("size", word: true).required("a geometry")
      do throws(Geometry.Failure) {
        return try Geometry(parsing: text).processor(filter: filter, linearLight: linear)
      } catch {
        throw ProcessorArguments.Failure("\"\(text)\" is not a geometry: \(error)")
      }
    }

    private static func crop(_ arguments: inout ProcessorArguments) throws -> any ImageProcessing {
      let positions = -Double(PixelSize.allowed.upperBound)...Double(PixelSize.allowed.upperBound)
      let x = try arguments.number("x", in: positions)
      let y = try arguments.number("y", in: positions)
      let focus = try arguments.focus()
      let gravity = arguments.gravity(allowingAttention: true)
      let size = try arguments.size().required("a size")
      guard [x != nil || y != nil, focus != nil, gravity != nil].count(where: { $0 }) < 2 else {
        throw ProcessorArguments.Failure("use only one of a gravity, a focus and a position")
      }
      if x != nil || y != nil {
        return ImageProcessors.Crop(rect: CGRect(origin: CGPoint(x: x ?? 0, y: y ?? 0), size: size), unit: .pixels)
      }
      return ImageProcessors.Crop(size: size, unit: .pixels, gravity: focus ?? gravity ?? .center)
    }
  }
#endif
