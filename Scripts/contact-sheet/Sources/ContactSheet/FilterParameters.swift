import Foundation
import Nuke

/// What a filter is shown with: its defaults, where they show something.
struct FilterParameters {
  let values: [String: Any]

  /// - Parameter background: what stands under keys of pictures.
  init(_ filter: any ImageFilter, background: Bitmap) {
    var values = Self.telling[filter.name] ?? [:]
    for parameter in filter.parameters where parameter.defaultValue == nil && values[parameter.key] == nil {
      switch (parameter.kind, parameter.key) {
      case (.image, "inputGradientImage"): values[parameter.key] = Self.gradient
      case (.image, "inputMaskImage"): values[parameter.key] = Self.mask
      case (.image, _): values[parameter.key] = background
      case (.data, _): values[parameter.key] = Self.cube
      default: fatalError("\(filter.name) needs \(parameter.key)")
      }
    }
    self.values = values
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
    ]
  }

  private static func picture(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> [UInt8]) -> Bitmap? {
    Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: true) { pixels in
      for index in 0..<width * height {
        for (channel, byte) in pixel(index % width, index / width).enumerated() { pixels[index * 4 + channel] = byte }
      }
    }
  }

  /// From dark violet to pale yellow.
  private static let gradient = picture(256, 1) { x, _ in
    [UInt8(min(40 + x, 255)), UInt8(x * x / 280), UInt8(70 + abs(x - 100) / 2), 255]
  }

  /// White in the middle, black far out.
  private static let mask = picture(312, 208) { x, y in
    let (dx, dy) = (Double(x) - 156, Double(y) - 104)
    let grey = UInt8(min(max(255 * (1.6 - (dx * dx + dy * dy).squareRoot() / 75), 0), 255))
    return [grey, grey, grey, 255]
  }

  /// Dark colours towards teal, light ones towards orange.
  private static let cube: Data = {
    let entries = (0..<8).flatMap { index -> [Float] in
      let (red, green, blue) = (Float(index & 1), Float(index >> 1 & 1), Float(index >> 2 & 1))
      return [red * 0.9 + green * 0.1, 0.1 + green * 0.8, 0.2 + blue * 0.6, 1]
    }
    return entries.withUnsafeBytes { Data($0) }
  }()
}
