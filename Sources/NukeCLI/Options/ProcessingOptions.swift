import ArgumentParser
import Foundation
import Nuke

/// The options for processing images.
struct ProcessingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Fit into this size, keeping the aspect ratio. With --crop, fill the size.", valueName: "WxH"))
  var resize: PixelSize?

  @Option(help: ArgumentHelp("Resize to this width, keeping the aspect ratio.", valueName: "pixels"))
  var width: Int?

  @Option(help: ArgumentHelp("Resize to this height, keeping the aspect ratio.", valueName: "pixels"))
  var height: Int?

  @Flag(help: "With --resize, fill the size and crop the rest.")
  var crop = false

  @Flag(help: "Enlarge images that are smaller than the size.")
  var upscale = false

  @Option(
    name: .customLong("processor"),
    help: ArgumentHelp(
      "Apply this processor after --resize. Repeat the option for several, in order. See PROCESSORS above.",
      valueName: "name:arguments"),
    completion: .list(ProcessorSyntax.all.map(\.name)),
    transform: { try ProcessorSyntax.processor($0) })
  var further: [any ImageProcessing] = []

  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      """
      Use the frame of a video at this time, such as 2s, 500ms or 1m; best for the most representative of ten. (default: \
      the first frame)
      """, valueName: "time"))
  var frame: FrameChoice?

  func validate() throws {
    if [resize != nil, width != nil, height != nil].count(where: { $0 }) > 1 {
      throw ValidationError("Use only one of --resize, --width and --height.")
    }
    try check("--width", width, in: PixelSize.allowed)
    try check("--height", height, in: PixelSize.allowed)
    if crop, resize == nil { throw ValidationError("--crop needs --resize.") }
    if upscale, resize == nil, width == nil, height == nil {
      throw ValidationError("--upscale needs --resize, --width or --height.")
    }
  }

  /// Adds the processors, and selects the frame of a video.
  func apply(to request: inout ImageRequest) {
    request.processors = processors
    if let frame { request.posterFrame = frame.frame }
  }

  /// All processors, in order.
  var processors: [any ImageProcessing] {
    var processors: [any ImageProcessing] = []
    if let resize {
      processors.append(
        ImageProcessors.Resize(
          size: CGSize(width: resize.width, height: resize.height), unit: .pixels,
          contentMode: crop ? .aspectFill : .aspectFit, crop: crop, upscale: upscale))
    } else if let width {
      processors.append(ImageProcessors.Resize(width: CGFloat(width), unit: .pixels, upscale: upscale))
    } else if let height {
      processors.append(ImageProcessors.Resize(height: CGFloat(height), unit: .pixels, upscale: upscale))
    }
    return processors + further
  }
}
