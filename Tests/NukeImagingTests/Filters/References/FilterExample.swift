import Foundation
import NukeImaging

extension Bitmap {
  /// The result of a filter of the catalog.
  func filtered(_ name: String, _ parameters: [String: Any] = [:]) throws -> Bitmap {
    let filter = try ImageFilters.filter(named: name)
    return try filter.apply(ImageFilterValues(parameters, for: filter), to: self)
  }
}

/// A filter with parameters that show what it does to a small image.
struct FilterExample {
  let filter: any ImageFilter
  let parameters: [String: Any]

  /// Core Image's defaults, with lengths and places as in an image 300 pixels wide, and other numbers where the
  /// defaults change nothing.
  init(_ name: String, for image: Bitmap) throws {
    filter = try ImageFilters.filter(named: name)
    let unit = Double(image.pixelWidth) / 300
    var parameters: [String: Any] = [:]
    for parameter in filter.parameters {
      switch (parameter.kind, parameter.defaultValue) {
      case (.image, nil):
        parameters[parameter.key] = try ReferenceCase.source(Self.images[parameter.key] ?? "backdrop")
      case (.data, nil): parameters[parameter.key] = Self.cube
      case (_, .number(let value)?) where Self.isLength(value) && !parameter.key.hasSuffix("Angle"):
        parameters[parameter.key] = value * unit
      case (_, .vector(let values)?) where values.count <= 3 && values.contains(where: Self.isLength):
        parameters[parameter.key] = values.map { $0 * unit }
      default: break
      }
    }
    if name.hasPrefix("CIPerspective") {
      let (width, height) = (Double(image.pixelWidth), Double(image.pixelHeight))
      parameters["inputTopLeft"] = [0.1 * width, 0.95 * height]
      parameters["inputTopRight"] = [0.9 * width, 0.8 * height]
      parameters["inputBottomRight"] = [0.75 * width, 0.1 * height]
      parameters["inputBottomLeft"] = [0.2 * width, 0.25 * height]
    }
    if name.hasPrefix("CIConvolution"), case .vector(let count)? = filter.parameters.first?.kind {
      parameters["inputWeights"] = Self.sharpening(count)
    }
    self.parameters = parameters.merging(Self.telling[name] ?? [:]) { $1 }
  }

  func apply(to image: Bitmap) throws -> Bitmap {
    try filter.apply(ImageFilterValues(parameters, for: filter), to: image)
  }

  /// The names of those that come with the package.
  static var names: [String] { ImageFilters.names.filter { $0.hasPrefix("CI") } }

  /// Core Image's lengths are made for images of some hundred pixels; smaller numbers are something else.
  private static func isLength(_ value: Double) -> Bool { (20...2000).contains(abs(value)) }

  private static let images = ["inputMaskImage": "mask", "inputGradientImage": "gradient"]

  /// Two entries a side: the opposite of each color.
  static let cube: Data = {
    let entries = (0..<8).flatMap { index -> [Float] in
      [1, 2, 4].map { index & $0 == 0 ? 1 : 0 } + [1]
    }
    return entries.withUnsafeBytes { Data($0) }
  }()

  /// A tenth of each neighbor taken away.
  private static func sharpening(_ count: Int) -> [Double] {
    (0..<count).map { $0 == count / 2 ? 1 + Double(count - 1) / 10 : -0.1 }
  }

  private static var telling: [String: [String: Any]] {
    [
      "CIColorControls": ["inputSaturation": 1.6, "inputBrightness": 0.05, "inputContrast": 1.2],
      "CIHueAdjust": ["inputAngle": 2],
      "CIColorMatrix": [
        "inputRVector": [0, 1, 0, 0], "inputGVector": [0.5, 0, 0.5, 0], "inputAVector": [0, 0, 0, 0.8],
      ],
      "CIColorClamp": ["inputMinComponents": [0.2, 0.2, 0.2, 0], "inputMaxComponents": [0.8, 0.7, 0.6, 1]],
      "CIColorPolynomial": ["inputRedCoefficients": [0, 0, 0, 1], "inputBlueCoefficients": [0, 2, -1, 0]],
      "CIColorCrossPolynomial": ["inputRedCoefficients": [0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0]],
      "CIVibrance": ["inputAmount": 0.9],
      "CITemperatureAndTint": ["inputTargetNeutral": [4000, 10]],
      "CIExposureAdjust": ["inputEV": 0.7],
      "CIGammaAdjust": ["inputPower": 1.8],
      "CIWhitePointAdjust": ["inputColor": Color(red: 1, green: 0.8, blue: 0.5)],
      "CIToneCurve": ["inputPoint1": [0.25, 0.15], "inputPoint3": [0.75, 0.85]],
      "CIVignette": ["inputIntensity": 0.9],
      "CIGaussianBlur": ["inputRadius": 2],
      "CIBoxBlur": ["inputRadius": 2],
      "CIBloom": ["inputRadius": 3],
      "CIGloom": ["inputRadius": 3],
      "CIPixellate": ["inputScale": 4],
      "CICrop": ["inputRectangle": [4, 3, 21, 15]],
      "CILanczosScaleTransform": ["inputScale": 0.6, "inputAspectRatio": 1.2],
      "CIAffineTransform": ["inputTransform": [0.8, 0.3, -0.2, 0.9, 2, 1]],
      "CIAffineClamp": ["inputTransform": [0.5, 0.2, -0.1, 0.6, 9, 4]],
      "CIAffineTile": ["inputTransform": [0.5, 0.2, -0.1, 0.6, 9, 4]],
      "CIStraightenFilter": ["inputAngle": 0.2],
      "CIZoomBlur": ["inputAmount": 40],
      "CIMorphologyMaximum": ["inputRadius": 2],
      "CIMorphologyMinimum": ["inputRadius": 2],
      "CIMorphologyGradient": ["inputRadius": 1],
      "CIHoleDistortion": ["inputRadius": 5],
      "CICircularWrap": ["inputRadius": 2],
      "CIHexagonalPixellate": ["inputScale": 3],
      "CIDissolveTransition": ["inputTime": 0.4],
      "CIMix": ["inputAmount": 0.6],
      "CIDither": ["inputIntensity": 0.5],
      "CIHighlightShadowAdjust": ["inputShadowAmount": 0.8, "inputHighlightAmount": 0.3],
      "CIHeightFieldFromMask": ["inputRadius": 4],
      "CIEdgeWork": ["inputRadius": 1.5],
      "CILightTunnel": ["inputRotation": 3],
      "CITriangleKaleidoscope": ["inputSize": 14],
    ]
  }
}
