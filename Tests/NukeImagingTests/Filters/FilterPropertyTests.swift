import Foundation
import NukeImaging
import Testing

/// What must hold for any filter of the catalog, whatever it does.
@Suite("Invariants of every filter")
struct FilterPropertyTests {
  private func bitmap(_ width: Int, _ height: Int, isOpaque: Bool = false) throws -> Bitmap {
    var random = SeededGenerator(seed: UInt64(width * 1000 + height))
    return try SampleImages.noise(width, height, isOpaque: isOpaque, random: &random)
  }

  /// Values that no program means, for a number.
  private static let hostile: [Double] = [0, -1, 1e30, -1e30, 1e-30, 1e308, -1e308, 0.5, 7, 5e8, -3.7]

  @Test("Extreme numbers give a valid image, or an error of the filter", arguments: FilterExample.names)
  func hostileNumbers(_ name: String) throws {
    let image = try bitmap(13, 9)
    let example = try FilterExample(name, for: image)
    var tried: [[String: Any]] = [example.parameters]
    for parameter in example.filter.parameters {
      switch parameter.kind {
      case .number: tried += Self.hostile.map { [parameter.key: $0] }
      case .vector(let count):
        let usual = (example.parameters[parameter.key] as? [Double]) ?? [Double](repeating: 1, count: count)
        for value in Self.hostile {
          tried.append([parameter.key: [Double](repeating: value, count: count)])
          for index in 0..<count {
            var vector = usual
            vector[index] = value
            tried.append([parameter.key: vector])
          }
        }
      case .data:
        let floats = [Float.nan, .infinity, -.infinity, 1e30, -1, 0, 0.5, 2]
        tried += [Data(), Data(count: 127), Data(repeating: 255, count: 128)].map { [parameter.key: $0] }
        tried.append([parameter.key: (0..<4).map { _ in floats }.joined().withUnsafeData { $0 }])
      case .color, .image: break
      }
    }
    // All of them at once, too.
    tried += Self.hostile.map { value in
      example.filter.parameters.reduce(into: [:]) { given, parameter in
        switch parameter.kind {
        case .number: given[parameter.key] = value
        case .vector(let count): given[parameter.key] = [Double](repeating: value, count: count)
        case .color, .image, .data: break
        }
      }
    }
    for parameters in tried {
      let given = example.parameters.merging(parameters) { $1 }
      do {
        let result = try example.filter.apply(ImageFilterValues(given, for: example.filter), to: image)
        #expect(result.isLawful, "\(name) \(parameters)")
      } catch let error as ImageFilterError {
        #expect("\(error)".contains(name), "\(name) \(parameters)")
      }
    }
  }

  @Test("A number that is not finite is an error that names its key", arguments: FilterExample.names)
  func notFinite(_ name: String) throws {
    let example = try FilterExample(name, for: bitmap(4, 4))
    for parameter in example.filter.parameters {
      for value in [Double.nan, .infinity, -.infinity] {
        let given: Any
        switch parameter.kind {
        case .number: given = value
        case .vector(let count): given = [Double](repeating: 1, count: count - 1) + [value]
        case .color, .image, .data: continue
        }
        #expect(
          throws: ImageFilterError.invalidParameter(
            key: parameter.key, filter: name, expected: parameter.kind.description)
        ) {
          try ImageFilterValues(example.parameters.merging([parameter.key: given]) { $1 }, for: example.filter)
        }
      }
    }
  }

  @Test("Images of one pixel, row or column are filtered", arguments: FilterExample.names)
  func tiny(_ name: String) throws {
    for (width, height) in [(1, 1), (1, 23), (23, 1), (2, 2)] {
      for isOpaque in [true, false] {
        let image = try bitmap(width, height, isOpaque: isOpaque)
        for size in [image, try bitmap(40, 30)] {
          let example = try FilterExample(name, for: size)
          do {
            let result = try example.apply(to: image)
            #expect(result.isLawful && result.pixelWidth > 0, "\(name) \(width)x\(height)")
          } catch let error as ImageFilterError {
            // A part, or points in it, need not meet so small an image.
            #expect("\(error)".contains(name), "\(name) \(width)x\(height)")
          }
        }
      }
    }
  }

  @Test("An image without pixels gives an image without pixels, or an error", arguments: FilterExample.names)
  func empty(_ name: String) throws {
    let example = try FilterExample(name, for: bitmap(40, 30))
    do {
      #expect(try example.apply(to: Bitmap()).pixelWidth == 0)
    } catch let error as ImageFilterError {
      #expect("\(error)".contains(name))
    }
  }

  /// Those whose result is transparent in places by what they are.
  private static let transparent: Set<String> = [
    "CIMaskToAlpha", "CISourceInCompositing", "CISourceOutCompositing", "CIMinimumCompositing", "CIColorMatrix",
    "CISourceAtopCompositing", "CIColorMap", "CIBlendWithMask", "CIAffineTransform", "CIPerspectiveTransform",
    "CICircularWrap", "CIHoleDistortion", "CIBlendWithAlphaMask", "CIBlendWithRedMask", "CIBlendWithBlueMask",
    "CIDissolveTransition", "CIMix", "CILineOverlay", "CIShadedMaterial",
  ]

  @Test(
    "An opaque image stays opaque, and is marked as opaque",
    arguments: FilterExample.names.filter { !transparent.contains($0) })
  func opaque(_ name: String) throws {
    let image = try bitmap(37, 26, isOpaque: true)
    let result = try FilterExample(name, for: image).apply(to: image)
    #expect(result.isOpaque)
    #expect(stride(from: 3, to: result.byteCount, by: 4).allSatisfy { result.bytes[$0] == 255 })
  }

  /// Those that mix pixels with others, or move them, and nothing else.
  private static let mixing = [
    "CIGaussianBlur", "CIBoxBlur", "CIMedianFilter", "CIUnsharpMask", "CISharpenLuminance", "CIPixellate",
    "CILanczosScaleTransform", "CICrop", "CIDiscBlur", "CIMotionBlur", "CIZoomBlur", "CIMaskedVariableBlur",
    "CINoiseReduction", "CIMorphologyMaximum", "CIMorphologyMinimum", "CIMorphologyRectangleMaximum",
    "CIMorphologyRectangleMinimum", "CIAffineClamp", "CIAffineTile", "CIStraightenFilter", "CIPerspectiveCorrection",
    "CIPerspectiveTile", "CIBumpDistortion", "CIBumpDistortionLinear", "CIPinchDistortion", "CITwirlDistortion",
    "CIVortexDistortion", "CICircleSplashDistortion", "CILightTunnel", "CITorusLensDistortion", "CIGlassLozenge",
    "CIDisplacementDistortion", "CIGlassDistortion", "CIFourfoldTranslatedTile", "CIFourfoldReflectedTile",
    "CIFourfoldRotatedTile", "CIParallelogramTile", "CIEightfoldReflectedTile", "CIGlideReflectedTile",
    "CIKaleidoscope", "CITriangleTile", "CIOpTile", "CIConvolution3X3", "CIConvolution5X5", "CIConvolutionRGB7X7",
    "CIHexagonalPixellate", "CICrystallize",
  ]

  @Test("A uniform image is unchanged by filters that mix or move pixels", arguments: mixing)
  func even(_ name: String) throws {
    for pixel: [UInt8] in [
      [255, 255, 255, 255], [0, 0, 0, 0], [1, 127, 200, 255], [3, 0, 17, 18], [99, 100, 1, 101],
    ] {
      let image = try SampleImages.even(40, 27, pixel)
      let result = try FilterExample(name, for: image).apply(to: image)
      #expect(result.bytes == (0..<result.pixelWidth * result.pixelHeight).flatMap { _ in pixel }, "\(name) \(pixel)")
    }
  }

  private typealias Identity = (name: String, parameters: [String: Any])

  /// Parameters that ask for nothing, and give the very same image.
  private static var sameImages: [Identity] {
    [
      ("CIColorControls", [:]), ("CIExposureAdjust", [:]), ("CIGammaAdjust", [:]), ("CIHueAdjust", [:]),
      ("CIColorMatrix", [:]), ("CIColorClamp", [:]), ("CIVibrance", [:]), ("CIWhitePointAdjust", [:]),
      ("CITemperatureAndTint", [:]), ("CIToneCurve", [:]), ("CIVignette", [:]), ("CICrop", [:]),
      ("CILanczosScaleTransform", [:]), ("CIBoxBlur", ["inputRadius": 0]), ("CIUnsharpMask", ["inputIntensity": 0]),
      ("CIPixellate", ["inputScale": 1]), ("CIHighlightShadowAdjust", [:]), ("CIDither", ["inputIntensity": 0]),
      ("CIConvolution3X3", [:]), ("CIConvolutionRGB7X7", [:]), ("CIMorphologyMaximum", [:]),
      ("CIMorphologyMinimum", [:]), ("CIMorphologyRectangleMaximum", ["inputWidth": 1, "inputHeight": 1]),
      ("CIDiscBlur", ["inputRadius": 0.5]), ("CIMotionBlur", ["inputRadius": 0]), ("CIZoomBlur", ["inputAmount": 0]),
    ]
  }

  /// Parameters that ask for nothing, and give the same pixels.
  private static var samePixels: [Identity] {
    [
      ("CISepiaTone", ["inputIntensity": 0]), ("CIColorMonochrome", ["inputIntensity": 0]),
      ("CIHueAdjust", ["inputAngle": 2 * Double.pi]), ("CIColorPolynomial", [:]), ("CIColorCrossPolynomial", [:]),
      ("CIToneCurve", ["inputPoint2": [0.4, 0.4]]), ("CIVignette", ["inputRadius": 0]),
      ("CIVignetteEffect", ["inputIntensity": 0]),
      ("CIVignetteEffect", ["inputCenter": [10, 10], "inputRadius": 1000]),
      ("CITemperatureAndTint", ["inputNeutral": [4000, 10], "inputTargetNeutral": [4000, 10]]),
      ("CIColorClamp", ["inputMaxComponents": [1, 2, 3, 4]]),
      ("CIGaussianBlur", ["inputRadius": 0]), ("CIBoxBlur", ["inputRadius": 0.4]),
      ("CIUnsharpMask", ["inputRadius": 0]), ("CISharpenLuminance", ["inputSharpness": 0]),
      ("CIBloom", ["inputIntensity": 0]), ("CIGloom", ["inputIntensity": 0]),
      ("CILanczosScaleTransform", ["inputScale": 1]), ("CIAffineTransform", [:]), ("CIAffineClamp", [:]),
      ("CIAffineTile", [:]), ("CIStraightenFilter", [:]), ("CIDiscBlur", ["inputRadius": 0.9]),
      ("CIMorphologyMinimum", ["inputRadius": 0.5]), ("CIConvolutionRGB5X5", [:]), ("CIConvolution9Vertical", [:]),
      ("CIBumpDistortion", ["inputScale": 0]), ("CIBumpDistortion", ["inputRadius": 0]),
      ("CIBumpDistortionLinear", ["inputScale": 0]), ("CIBumpDistortionLinear", ["inputRadius": 0]),
      ("CIPinchDistortion", ["inputScale": 0]), ("CITwirlDistortion", ["inputAngle": 0]),
      ("CITwirlDistortion", ["inputRadius": 0]), ("CIVortexDistortion", ["inputAngle": 0]),
      ("CIVortexDistortion", ["inputRadius": 0]), ("CICircleSplashDistortion", ["inputRadius": 1000]),
      ("CILightTunnel", ["inputRadius": 1000]), ("CITorusLensDistortion", ["inputRefraction": 1]),
      ("CITorusLensDistortion", ["inputWidth": 0]), ("CIGlassLozenge", ["inputRefraction": 1]),
      ("CIGlassLozenge", ["inputRadius": 0]), ("CIOpTile", ["inputScale": 1]), ("CITriangleTile", ["inputWidth": 1e6]),
      ("CITriangleKaleidoscope", ["inputSize": 1e6]),
    ]
  }

  @Test("Neutral parameters leave the image unchanged")
  func identities() throws {
    for isOpaque in [true, false] {
      let image = try bitmap(40, 30, isOpaque: isOpaque)
      for (name, parameters) in Self.sameImages {
        #expect(try image.filtered(name, parameters) === image, "\(name) \(parameters)")
      }
      for (name, parameters) in Self.samePixels {
        #expect(try image.filtered(name, parameters).bytes == image.bytes, "\(name) \(parameters)")
      }
    }
  }

  @Test("Compositing with a transparent image changes nothing")
  func identitiesOfBlends() throws {
    let image = try bitmap(21, 14)
    let nothing = try SampleImages.bitmap(21, 14, isOpaque: false, pixels: [UInt8](repeating: 0, count: 21 * 14 * 4))
    for name in FilterExample.names where name.hasSuffix("BlendMode") || name == "CISourceOverCompositing" {
      #expect(try image.filtered(name, ["inputBackgroundImage": nothing]).bytes == image.bytes, "\(name)")
      #expect(try nothing.filtered(name, ["inputBackgroundImage": image]).bytes == image.bytes, "\(name)")
    }
  }
}

extension Sequence {
  fileprivate func withUnsafeData<Result>(_ body: (Data) -> Result) -> Result {
    Array(self).withUnsafeBytes { body(Data($0)) }
  }
}
