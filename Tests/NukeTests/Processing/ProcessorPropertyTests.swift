import Foundation
import Nuke
import NukeTesting
import Testing

/// What must hold for any processor that comes with the package, whatever it does.
@Suite("Properties of all processors")
struct ProcessorPropertyTests {
  private static let overlay = SampleImage.bitmap(width: 5, height: 4, scale: 1)

  /// Each processor, with a number wherever it takes a length, an angle or a share.
  private static func processors(_ value: CGFloat) -> [any ImageProcessing] {
    let (size, sea) = (CGSize(width: value, height: value), Color(red: 0, green: 0.4, blue: 0.7, alpha: 0.5))
    let border = ImageProcessingOptions.Border(color: sea, width: value, unit: .pixels)
    let usual = CGSize(width: 6, height: 7)
    return [
      .resize(size: size, unit: .pixels), .resize(size: size, unit: .pixels, contentMode: .aspectFit, upscale: true),
      .resize(size: size, unit: .pixels, crop: true), .resize(width: value, unit: .pixels),
      .resize(height: value, unit: .pixels), .circle(), .circle(border: border), .ellipse(border: border),
      .border(border), .roundedCorners(radius: value, unit: .pixels, border: border),
      ImageProcessors.RoundedCorners(topLeft: value, topRight: 2, bottomRight: 1, unit: .pixels),
      .gaussianBlur(radius: Int(exactly: value.rounded()) ?? .max), .sharpen(radius: value, amount: 1),
      .sharpen(radius: 1, amount: value), .rotate(degrees: value), .flip(.horizontal), .flip(.vertical),
      .crop(rect: CGRect(x: value, y: value, width: value, height: value), unit: .pixels),
      .crop(rect: CGRect(x: 1, y: 0, width: value, height: 2), unit: .pixels), .crop(size: size, unit: .pixels),
      .crop(size: usual, unit: .pixels, gravity: .focalPoint(x: value, y: value)),
      .crop(size: usual, unit: .pixels, gravity: .attention), .pad(size: size, unit: .pixels, color: sea),
      .flatten(), .blend(color: sea, mode: .softLight),
      .overlay(image: overlay, id: "", margin: value, unit: .pixels, opacity: value),
      .overlay(image: overlay, id: "", scale: value), .coreImageFilter(name: "CISepiaTone"),
      .coreImageFilter(name: "CIGaussianBlur", parameters: ["inputRadius": value], identifier: ""),
    ]
  }

  private static let hostile: [CGFloat] = [0, -1, 1e-30, 1e30, -1e30, 1e308, .nan, .infinity, -.infinity]

  private func isLawful(_ image: PlatformImage) -> Bool {
    image.pixelWidth > 0 && image.isPremultiplied && (!image.isOpaque || image.alphas.allSatisfy { $0 == 255 })
  }

  @Test("An empty image is an error that says so", arguments: [0, 3])
  func empty(_ value: CGFloat) {
    for processor in Self.processors(value) {
      #expect("\(processor)") {
        try processor.processed(PlatformImage())
      } throws: { error in
        if case ImageProcessors.CoreImageFilter.Error.inputImageIsEmpty = error { return true }
        return error as? ImageProcessors.SizeError == .emptyImage && "\(error)" == "the image has no pixels"
      }
      #expect(processor.process(PlatformImage()) == nil, "\(processor)")
    }
  }

  @Test("Different processors have different identifiers")
  func identifiers() {
    let processors = Self.processors(3)
    #expect(Set(processors.map(\.identifier)).count == processors.count)
  }

  @Test("Images with one pixel, row or column can be processed")
  func tiny() throws {
    for (width, height) in [(1, 1), (1, 17), (17, 1)] {
      let image = SampleImage.bitmap(width: width, height: height, scale: 1)
      for processor in Self.processors(1) {
        do {
          #expect(try isLawful(processor.processed(image)), "\(processor) \(width)x\(height)")
        } catch ImageProcessors.SizeError.outsideImage {
          #expect(processor is ImageProcessors.Crop)
        }
      }
    }
  }

  @Test("Invalid numbers give a valid image or an error with a description", arguments: hostile)
  func hostileNumbers(_ value: CGFloat) throws {
    let image = SampleImage.bitmap(width: 13, height: 9, scale: 1)
    for processor in Self.processors(value) {
      do {
        #expect(try isLawful(processor.processed(image)), "\(processor)")
      } catch {
        #expect(
          error is ImageProcessors.SizeError || error is ImageProcessors.CoreImageFilter.Error, "\(processor): \(error)"
        )
      }
    }
  }
}
