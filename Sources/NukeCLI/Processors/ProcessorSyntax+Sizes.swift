import Foundation
import Nuke

/// What makes images smaller and larger.
extension ProcessorSyntax {
  static let sizes: [ProcessorSyntax] = [
    ProcessorSyntax(
      "resize",
      [
        "WxH[,fill|,crop][,upscale][,filter=FILTER][,linear]", "width=PIXELS[,upscale][,filter=FILTER][,linear]",
        "height=PIXELS[,upscale][,filter=FILTER][,linear]",
      ],
      """
      Fit into so many pixels, or cover them (fill), and cut off what sticks out (crop). A FILTER is lanczos, bilinear, \
      area or nearest; linear mixes light instead of the numbers of sRGB.
      """, make: resize),
    ProcessorSyntax(
      "crop", ["WxH[,GRAVITY]", "WxH,focus=XxY", "WxH,x=PIXELS,y=PIXELS"],
      """
      Cut out a part. A GRAVITY is center, top, bottom, left, right, topLeft, topRight, bottomLeft, bottomRight, or \
      attention for the busiest part; a focus is from 0x0, upper left, to 1x1, and comes near to the middle; x and y are \
      those of the upper left corner.
      """, make: crop),
    ProcessorSyntax(
      "pad", ["WxH[,GRAVITY][,color=COLOR]"],
      "Lay on a canvas of at least so many pixels, transparent unless a color is given.", make: pad),
  ]

  private static func resize(
    _ arguments: inout ProcessorArguments
  ) throws(ProcessorArguments.Failure) -> any ImageProcessing {
    let crop = arguments.flag("crop")
    let fill = arguments.flag("fill")
    let upscale = arguments.flag("upscale")
    let linear = arguments.flag("linear")
    let filter = try arguments.choice("filter", of: ImageProcessingOptions.ResizeFilter.self) ?? .lanczos
    let pixels = 1...Double(PixelSize.allowed.upperBound)
    let width = try arguments.number("width", in: pixels)
    let height = try arguments.number("height", in: pixels)
    let size = try arguments.size()
    guard [width != nil, height != nil, size != nil].count(where: { $0 }) == 1 else {
      throw .init("it takes one of a size, a width and a height")
    }
    if let width, !crop, !fill {
      return ImageProcessors.Resize(
        width: width, unit: .pixels, upscale: upscale, filter: filter, linearLight: linear)
    }
    if let height, !crop, !fill {
      return ImageProcessors.Resize(
        height: height, unit: .pixels, upscale: upscale, filter: filter, linearLight: linear)
    }
    guard let size else { throw .init("crop and fill need both sides") }
    return ImageProcessors.Resize(
      size: CGSize(width: size.width, height: size.height), unit: .pixels,
      contentMode: crop || fill ? .aspectFill : .aspectFit, crop: crop, upscale: upscale, filter: filter,
      linearLight: linear)
  }

  private static func crop(
    _ arguments: inout ProcessorArguments
  ) throws(ProcessorArguments.Failure) -> any ImageProcessing {
    let places = -Double(PixelSize.allowed.upperBound)...Double(PixelSize.allowed.upperBound)
    let x = try arguments.number("x", in: places)
    let y = try arguments.number("y", in: places)
    let focus = try arguments.focus()
    let gravity = arguments.gravity(isAttentionKnown: true)
    guard let size = try arguments.size() else { throw .init("it takes a size") }
    guard [x != nil || y != nil, focus != nil, gravity != nil].count(where: { $0 }) < 2 else {
      throw .init("it takes one of a gravity, a focus and a place")
    }
    if x != nil || y != nil {
      let rect = CGRect(x: x ?? 0, y: y ?? 0, width: Double(size.width), height: Double(size.height))
      return ImageProcessors.Crop(rect: rect, unit: .pixels)
    }
    return ImageProcessors.Crop(
      size: CGSize(width: size.width, height: size.height), unit: .pixels, gravity: focus ?? gravity ?? .center)
  }

  private static func pad(
    _ arguments: inout ProcessorArguments
  ) throws(ProcessorArguments.Failure) -> any ImageProcessing {
    let gravity = arguments.gravity() ?? .center
    let color = try arguments.color("color") ?? .clear
    guard let size = try arguments.size() else { throw .init("it takes a size") }
    return ImageProcessors.Pad(
      size: CGSize(width: size.width, height: size.height), unit: .pixels, color: color, gravity: gravity)
  }
}
