import ArgumentParser
import Foundation
import Nuke

/// What is done to each image: the options for it, checked against each other.
struct ProcessingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Fit into so many pixels, keeping the proportions; with --crop fill them.", valueName: "WxH"))
  var resize: PixelSize?

  @Option(help: ArgumentHelp("Resize to this width in pixels, keeping the proportions.", valueName: "pixels"))
  var width: Int?

  @Option(help: ArgumentHelp("Resize to this height in pixels, keeping the proportions.", valueName: "pixels"))
  var height: Int?

  @Flag(help: "With --resize: fill the size and cut off what sticks out.")
  var crop = false

  @Flag(help: "Enlarge images that are smaller than the size.")
  var upscale = false

  @Option(
    name: .customLong("processor"),
    help: ArgumentHelp(
      "Do this to each image, after --resize; several are done in their order. See PROCESSORS above.",
      valueName: "name:arguments"),
    completion: .list(ProcessorSyntax.all.map(\.name)),
    transform: { try ProcessorSyntax.processor($0) })
  var further: [any ImageProcessing] = []

  func validate() throws {
    if [resize != nil, width != nil, height != nil].count(where: { $0 }) > 1 {
      throw ValidationError("Use one of --resize, --width and --height.")
    }
    for (name, value) in [("--width", width), ("--height", height)] {
      if let value, !PixelSize.allowed.contains(value) {
        throw ValidationError("\(name) must be from 1 to \(PixelSize.allowed.upperBound) pixels.")
      }
    }
    if crop, resize == nil { throw ValidationError("--crop needs --resize.") }
    if upscale, resize == nil, width == nil, height == nil {
      throw ValidationError("--upscale needs --resize, --width or --height.")
    }
  }

  /// What is done to each image, in order.
  var processors: [any ImageProcessing] {
    var processors: [any ImageProcessing] = []
    if let resize {
      let size = CGSize(width: resize.width, height: resize.height)
      processors.append(
        ImageProcessors.Resize(
          size: size, unit: .pixels, contentMode: crop ? .aspectFill : .aspectFit, crop: crop, upscale: upscale))
    } else if let width {
      processors.append(ImageProcessors.Resize(width: CGFloat(width), unit: .pixels, upscale: upscale))
    } else if let height {
      processors.append(ImageProcessors.Resize(height: CGFloat(height), unit: .pixels, upscale: upscale))
    }
    return processors + further
  }
}
