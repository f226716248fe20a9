import Foundation
import Nuke

extension ImageInfo {
  /// The source's name and what it is, and under that a line for everything there is to tell.
  func text(name: String) -> String {
    var lines = ["\(name): \(header.format.displayName), \(header.pixelWidth)x\(header.pixelHeight) pixels"]
    for (label, value) in facts {
      lines.append("  " + label.padding(toLength: 12, withPad: " ", startingAt: 0) + value.onOneLine)
    }
    return lines.joined(separator: "\n")
  }

  private var facts: [(String, String)] {
    var facts = [
      ("colors", colors), ("profile", header.profileName ?? "none"), ("alpha", header.hasAlpha ? "yes" : "no"),
    ]
    if header.orientation != .up {
      facts.append(
        ("orientation", "\(header.orientation.phrase), stored as \(header.storedWidth)x\(header.storedHeight)"))
    }
    if header.isProgressive { facts.append(("passes", header.format == .jpeg ? "progressive" : "interlaced")) }
    if let animation { facts.append(("frames", animation)) }
    if let exif = header.exif { facts += exif.facts }
    facts.append(("read", Format.bytes(Int64(bytesRead))))
    return facts
  }

  private var colors: String {
    let model =
      switch header.colorModel {
      case .gray: "gray"
      case .rgb: "RGB"
      case .indexed: "palette"
      case .cmyk: "CMYK"
      }
    return "\(model), \(header.bitsPerComponent) bits"
  }

  private var animation: String? {
    guard header.frameCount != 1 else { return nil }
    guard let count = header.frameCount else { return "unknown: the file is incomplete" }
    let duration = header.duration.map { ", \(Format.duration($0))" } ?? ""
    return "\(count)\(duration), " + (header.loopCount == 0 ? "for ever" : "played \(header.loopCount) times")
  }
}

extension Orientation {
  /// What is to be done for it to stand upright.
  fileprivate var phrase: String {
    switch self {
    case .up: "upright"
    case .upMirrored: "mirrored left to right"
    case .down: "turned by 180°"
    case .downMirrored: "mirrored top to bottom"
    case .leftMirrored: "mirrored and turned 90° anticlockwise"
    case .right: "turned 90° clockwise"
    case .rightMirrored: "mirrored and turned 90° clockwise"
    case .left: "turned 90° anticlockwise"
    }
  }
}

extension EXIF {
  fileprivate var facts: [(String, String)] {
    var facts: [(String, String)] = []
    let camera = [make, model].compactMap { $0 }.joined(separator: " ")
    if !camera.isEmpty { facts.append(("camera", camera)) }
    if let lensModel { facts.append(("lens", lensModel)) }
    if let dateTimeOriginal { facts.append(("taken", dateTimeOriginal)) }
    if !exposure.isEmpty { facts.append(("exposure", exposure)) }
    if hasLocation { facts.append(("location", "recorded")) }
    return facts
  }

  /// Such as "1/250 s, f/2.8, ISO 100, 35 mm".
  private var exposure: String {
    var parts: [String] = []
    if let exposureTime {
      let isFraction = exposureTime > 0 && exposureTime < 0.3
      parts.append((isFraction ? "1/\(number((1 / exposureTime).rounded()))" : number(exposureTime)) + " s")
    }
    if let fNumber { parts.append("f/\(number(fNumber))") }
    if let isoSpeed { parts.append("ISO \(isoSpeed)") }
    if let focalLength { parts.append("\(number(focalLength)) mm") }
    return parts.joined(separator: ", ")
  }

  private func number(_ value: Double) -> String { String(format: "%.3g", value) }
}
