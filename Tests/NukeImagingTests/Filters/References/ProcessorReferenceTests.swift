import Foundation
import NukeImaging
import Testing

@Suite("Processors compared with cairo, Pillow and the Gaussian formula")
struct ProcessorReferenceTests {
  private static let cases = ReferenceCase.all("processors")

  @Test("Shapes, rotations, sizes, layers and blurs match the references", arguments: Set(cases.map(\.name)).sorted())
  func processors(_ name: String) throws {
    for reference in Self.cases where reference.name == name {
      let source = try ReferenceCase.source(reference.source)
      let result = try #require(try reference.processed(source), "\(reference.testDescription) gave nothing")
      if let fault = try reference.fault(of: result, family: "processors") { Issue.record("\(fault)") }
    }
  }
}

extension ReferenceCase {
  /// What the processor of this name does to an image; `nil` if it fails.
  fileprivate func processed(_ source: Bitmap) throws -> Bitmap? {
    switch name {
    case "circle": return source.croppedToSquare()?.clipped(to: corners([.infinity]), outline: outline)
    case "ellipse":
      let corner = RoundedShape.Corner(width: Double(source.pixelWidth) / 2, height: Double(source.pixelHeight) / 2)
      return source.clipped(to: .init(all: corner), outline: outline)
    case "roundedCorners": return source.clipped(to: corners(numbers("radii")), outline: outline)
    case "border": return source.clipped(to: corners([0]), outline: outline)
    case "overlay":
      let (above, origin) = (try ReferenceCase.source(text("image")), numbers("origin"))
      let placed = above.placed(
        x: Int(origin[0]), y: Int(origin[1]), width: source.pixelWidth, height: source.pixelHeight)
      return placed?.blended(over: source, mode, opacity: number("opacity") ?? 1)
    case "flatten": return source.flattened(Color(numbers("color")))
    case "blend": return source.tinted(Color(numbers("color")), mode)
    case "rotate": return source.rotated(degrees: try #require(number("degrees")))
    case "flip": return source.turned(number("vertical") == 1 ? .downMirrored : .upMirrored)
    case "crop":
      let part = numbers("rectangle").map { Int($0) }
      return source.cropped(x: part[0], y: part[1], width: part[2], height: part[3])
    case "pad":
      let (size, origin) = (numbers("size").map { Int($0) }, numbers("origin").map { Int($0) })
      let fill = (numbers("color").isEmpty ? Color.clear : Color(numbers("color"))).premultipliedBytes
      return source.placed(
        x: origin[0], y: origin[1], width: size[0], height: size[1], fill: (fill[0], fill[1], fill[2], fill[3]))
    case "resize":
      let size = numbers("size")
      let geometry = try ResizeGeometry(
        sourceWidth: source.pixelWidth, sourceHeight: source.pixelHeight,
        target: CGSize(width: size[0], height: size[1]), contentMode: numbers("region").isEmpty ? .fill : .aspectFill,
        crop: true, upscale: true)
      return source.resized(try #require(geometry))
    case "gaussianBlur": return source.gaussianBlurred(sigma: try #require(number("radius")))
    case "sharpen":
      return source.sharpened(
        radius: try #require(number("radius")), try #require(number("amount")), luminance: true)
    default:
      Issue.record("\(name) is no processor of this table")
      return nil
    }
  }

  private func number(_ key: String) -> Double? {
    if case .number(let number)? = parameters?[key] { number } else { nil }
  }

  /// Empty where there are none.
  private func numbers(_ key: String) -> [Double] {
    if case .numbers(let numbers)? = parameters?[key] { numbers } else { [] }
  }

  private func text(_ key: String) -> String {
    if case .text(let text)? = parameters?[key] { text } else { "" }
  }

  private var mode: BlendMode { BlendMode(rawValue: text("mode")) ?? .normal }

  private var outline: Bitmap.Outline? {
    number("borderWidth").map { Bitmap.Outline(color: Color(numbers("border")), width: $0) }
  }

  /// One radius for all, or one for each: upper left, upper right, lower left, lower right.
  private func corners(_ radii: [Double]) -> RoundedShape.Corners {
    let all = (radii.count == 4 ? radii : [Double](repeating: radii[0], count: 4)).map {
      RoundedShape.Corner(radius: $0)
    }
    return RoundedShape.Corners(topLeft: all[0], topRight: all[1], bottomLeft: all[2], bottomRight: all[3])
  }
}
