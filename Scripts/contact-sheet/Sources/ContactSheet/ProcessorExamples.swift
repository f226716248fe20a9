import Foundation
import Nuke

/// A processor with parameters that show what it does.
struct ProcessorExample {
  let name: String
  let processor: any ImageProcessing
  /// `true` if it is shown on an image that one can look through.
  var needsAlpha = false
}

/// - Parameter emblem: what is laid over the image.
func processorExamples(emblem: Bitmap) -> [ProcessorExample] {
  let line = ImageProcessingOptions.Border(color: .white, width: 8, unit: .pixels)
  let thin = ImageProcessingOptions.Border(color: Color(red: 1, green: 0.6, blue: 0.2), width: 4, unit: .pixels)
  let sea = Color(red: 0, green: 0.5, blue: 0.8, alpha: 0.6)
  let square = CGSize(width: 150, height: 150)
  return [
    ProcessorExample(
      name: "Resize, fit", processor: .resize(size: square, unit: .pixels, contentMode: .aspectFit)),
    ProcessorExample(name: "Resize, crop", processor: .resize(size: square, unit: .pixels, crop: true)),
    ProcessorExample(
      name: "Crop, a rectangle",
      processor: .crop(rect: CGRect(x: 170, y: 10, width: 130, height: 90), unit: .pixels)),
    ProcessorExample(
      name: "Crop, attention",
      processor: .crop(size: CGSize(width: 140, height: 100), unit: .pixels, gravity: .attention)),
    ProcessorExample(name: "Circle", processor: .circle(border: line)),
    ProcessorExample(name: "Ellipse", processor: .ellipse(border: thin)),
    ProcessorExample(name: "RoundedCorners", processor: .roundedCorners(radius: 40, unit: .pixels)),
    ProcessorExample(
      name: "RoundedCorners, each",
      processor: ImageProcessors.RoundedCorners(
        topLeft: 90, topRight: 10, bottomLeft: 0, bottomRight: 60, unit: .pixels, border: line)),
    ProcessorExample(name: "Border", processor: .border(thin)),
    ProcessorExample(name: "GaussianBlur", processor: .gaussianBlur()),
    ProcessorExample(name: "Sharpen", processor: .sharpen(radius: 2, amount: 2)),
    ProcessorExample(name: "Rotate, 90", processor: .rotate(degrees: 90)),
    ProcessorExample(name: "Rotate, 12", processor: .rotate(degrees: 12)),
    ProcessorExample(name: "Flip, horizontal", processor: .flip(.horizontal)),
    ProcessorExample(name: "Flip, vertical", processor: .flip(.vertical)),
    ProcessorExample(
      name: "Pad", processor: .pad(size: CGSize(width: 360, height: 280), unit: .pixels, color: sea)),
    ProcessorExample(name: "Flatten", processor: .flatten(color: sea), needsAlpha: true),
    ProcessorExample(
      name: "Overlay",
      processor: .overlay(image: emblem, id: "emblem", margin: 10, unit: .pixels, opacity: 0.9, scale: 0.28)),
    ProcessorExample(name: "Blend", processor: .blend(color: sea)),
    ProcessorExample(name: "Blend, multiply", processor: .blend(color: sea, mode: .multiply)),
    ProcessorExample(name: "CoreImageFilter", processor: .coreImageFilter(name: "CISepiaTone")),
  ]
}
