import Foundation
import Nuke

/// What a filter is shown with: its defaults, where they show something.
struct FilterParameters {
  let values: [String: Any]

  /// - Parameter background: what stands under keys of images.
  init(_ filter: any ImageFilter, background: Bitmap) {
    var values = Self.telling[filter.name] ?? [:]
    if filter.name.hasPrefix("CIPerspective") { values = Self.corners }
    if filter.name.hasSuffix("Tile") || filter.name == "CIKaleidoscope", values.isEmpty {
      values["inputCenter"] = Self.shore
    }
    if filter.name.hasPrefix("CIConvolution"), case .vector(let count)? = filter.parameters.first?.kind {
      // Twice the difference from the mean of the neighbors is added.
      values["inputWeights"] = (0..<count).map { $0 == count / 2 ? 3 : -2 / Double(count - 1) }
    }
    for parameter in filter.parameters where parameter.defaultValue == nil && values[parameter.key] == nil {
      switch (parameter.kind, parameter.key) {
      case (.image, "inputGradientImage"): values[parameter.key] = Self.gradient
      case (.image, "inputMaskImage"), (.image, "inputMask"): values[parameter.key] = Self.mask
      case (.image, _): values[parameter.key] = background
      case (.data, _): values[parameter.key] = Self.cube
      default: fatalError("\(filter.name) needs \(parameter.key)")
      }
    }
    self.values = values
  }

  private static let middle: [Double] = [156, 104]
  private static let shore: [Double] = [120, 70]

  private static var corners: [String: Any] {
    [
      "inputTopLeft": [40, 200], "inputTopRight": [290, 170], "inputBottomRight": [240, 20],
      "inputBottomLeft": [70, 50],
    ]
  }

  private static var telling: [String: [String: Any]] {
    [
      "CIColorControls": ["inputSaturation": 1.7, "inputContrast": 1.2],
      "CIHueAdjust": ["inputAngle": 2],
      "CIColorMatrix": ["inputRVector": [0, 0, 1, 0], "inputBVector": [1, 0, 0, 0]],
      "CIColorClamp": ["inputMinComponents": [0.2, 0.2, 0.3, 0], "inputMaxComponents": [0.8, 0.7, 0.6, 1]],
      "CIColorPolynomial": ["inputRedCoefficients": [0, 0, 1, 0], "inputBlueCoefficients": [0.3, 0.7, 0, 0]],
      "CIColorCrossPolynomial": ["inputRedCoefficients": [0, 1, 0, 0, 0, 0, 0, 0, 0.6, 0]],
      "CIVibrance": ["inputAmount": 1],
      "CITemperatureAndTint": ["inputTargetNeutral": [3800, 0]],
      "CIExposureAdjust": ["inputEV": 1],
      "CIGammaAdjust": ["inputPower": 2],
      "CIWhitePointAdjust": ["inputColor": Color(red: 1, green: 0.8, blue: 0.5)],
      "CIToneCurve": ["inputPoint1": [0.25, 0.1], "inputPoint3": [0.75, 0.9]],
      "CIVignette": ["inputIntensity": 1],
      "CICrop": ["inputRectangle": [60, 70, 190, 110]],
      "CILanczosScaleTransform": ["inputScale": 0.6],
      "CIUnsharpMask": ["inputIntensity": 2],
      "CISharpenLuminance": ["inputSharpness": 2],
      "CIAffineTransform": ["inputTransform": [0.8, 0.25, -0.3, 0.8, 0, 0]],
      "CIAffineClamp": ["inputTransform": [0.6, 0.15, -0.15, 0.6, 75, 25]],
      "CIAffineTile": ["inputTransform": [0.4, 0.1, -0.1, 0.4, 40, 20]],
      "CIStraightenFilter": ["inputAngle": 0.15],
      "CIBumpDistortion": ["inputCenter": middle, "inputRadius": 110],
      "CIBumpDistortionLinear": ["inputCenter": middle, "inputRadius": 90],
      "CIPinchDistortion": ["inputCenter": middle, "inputRadius": 130],
      "CITwirlDistortion": ["inputCenter": middle, "inputRadius": 130],
      "CIVortexDistortion": ["inputCenter": middle, "inputRadius": 120],
      "CIHoleDistortion": ["inputCenter": middle, "inputRadius": 50],
      "CICircleSplashDistortion": ["inputCenter": middle, "inputRadius": 70],
      "CILightTunnel": ["inputCenter": middle, "inputRadius": 60, "inputRotation": 3],
      "CICircularWrap": ["inputCenter": middle, "inputRadius": 25],
      "CITorusLensDistortion": ["inputCenter": middle, "inputRadius": 65, "inputWidth": 50],
      "CIGlassLozenge": ["inputPoint0": [100, 95], "inputPoint1": [210, 115], "inputRadius": 60],
      "CITriangleKaleidoscope": ["inputPoint": middle, "inputSize": 110],
      "CIMorphologyMaximum": ["inputRadius": 4],
      "CIMorphologyMinimum": ["inputRadius": 4],
      "CIMorphologyGradient": ["inputRadius": 2],
      "CIEdges": ["inputIntensity": 4],
      "CIDepthOfField": ["inputPoint0": [0, 110], "inputPoint1": [312, 110]],
      "CIDissolveTransition": ["inputTime": 0.5],
      "CIMix": ["inputAmount": 0.5],
      "CIDither": ["inputIntensity": 0.6],
      "CIHighlightShadowAdjust": ["inputShadowAmount": 0.9, "inputHighlightAmount": 0.4],
      "CIMaskedVariableBlur": ["inputRadius": 9],
      "CISpotLight": ["inputLightPosition": [360, 300, 150], "inputLightPointsAt": [150, 90, 0]],
      "CISpotColor": [
        "inputCenterColor2": Color(red: 0.3, green: 0.38, blue: 0.32),
        "inputReplacementColor2": Color(red: 0.9, green: 0.45, blue: 0.1), "inputCloseness2": 0.3,
        "inputContrast2": 0.3,
      ],
    ]
  }

  private static func image(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> [UInt8]) -> Bitmap? {
    Bitmap(pixelWidth: width, pixelHeight: height) { pixels in
      for index in 0..<width * height {
        for (channel, byte) in pixel(index % width, index / width).enumerated() { pixels[index * 4 + channel] = byte }
      }
    }
  }

  /// From dark violet to pale yellow.
  private static let gradient = image(256, 1) { x, _ in
    [UInt8(min(40 + x, 255)), UInt8(x * x / 280), UInt8(70 + abs(x - 100) / 2), 255]
  }

  /// White in the middle, nothing far out.
  private static let mask = image(312, 208) { x, y in
    let (dx, dy) = (Double(x) - 156, Double(y) - 104)
    let gray = UInt8(min(max(255 * (1.6 - (dx * dx + dy * dy).squareRoot() / 75), 0), 255))
    return [gray, gray, gray, gray]
  }

  /// Dark colors towards teal, light ones towards orange.
  private static let cube: Data = {
    let entries = (0..<8).flatMap { index -> [Float] in
      let (red, green, blue) = (Float(index & 1), Float(index >> 1 & 1), Float(index >> 2 & 1))
      return [red * 0.9 + green * 0.1, 0.1 + green * 0.8, 0.2 + blue * 0.6, 1]
    }
    return entries.withUnsafeBytes { Data($0) }
  }()
}
