#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// The options for processing images.
  struct ProcessingOptions: ParsableArguments {
    @Option(
      name: [.short, .long], help: .geometry("Resize"), transform: { try Geometry(parsing: $0) })
    var size: Geometry?

    @Option(
      help: ArgumentHelp(
        "Crop after --size: the same as --processor crop:…, such as 200x200 or 200x200,attention.",
        valueName: "WxH[,gravity]"),
      transform: { try ProcessorSyntax.processor("crop:" + $0) })
    var crop: (any ImageProcessing)?

    @Option(
      name: .customLong("processor"),
      help: ArgumentHelp(
        "Apply this processor after --size and --crop. Repeat the option for several, in order. See PROCESSORS below.",
        valueName: "name:arguments"),
      completion: .list(ProcessorSyntax.all.map(\.name)),
      transform: { try ProcessorSyntax.processor($0) })
    var further: [any ImageProcessing] = []

    @Option(
      name: .customLong("at"),
      help: ArgumentHelp(
        """
        Use the frame of a video at this time, such as 2s, 500ms or 1m; best for the most representative of ten. (default: \
        the first frame; all frames in GIF, WebP and APNG)
        """, valueName: "time"))
    var frame: FrameChoice?

    /// `true` if any option is given.
    var isGiven: Bool { !processors.isEmpty || frame != nil }

    /// Adds the processors, and selects the frame of a video.
    func apply(to request: inout ImageRequest) {
      request.processors = processors
      if let frame { request.posterFrame = frame.frame }
    }

    /// All processors, in order.
    var processors: [any ImageProcessing] {
      if let size, let crop, let both = size.processor(croppedBy: crop) { return [both] + further }
      return [size?.processor(), crop].compactMap(\.self) + further
    }
  }

  extension Geometry {
    /// Returns one processor that covers a size and crops the rest around the center; `nil` if that is not what the two
    /// do. Pixels that are cropped are not resampled then.
    fileprivate func processor(croppedBy crop: any ImageProcessing) -> (any ImageProcessing)? {
      guard case .cover(let width, let height) = target, !shrinksOnly else { return nil }
      let size = CGSize(width: width, height: height)
      guard crop as? ImageProcessors.Crop == ImageProcessors.Crop(size: size, unit: .pixels) else { return nil }
      return ImageProcessors.Resize(size: size, unit: .pixels, crop: true, upscale: true)
    }
  }
#endif
