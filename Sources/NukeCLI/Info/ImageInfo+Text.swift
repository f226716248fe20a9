#if Command
  import Foundation
  import Nuke

  extension ImageInfo {
    func report(_ source: Source) -> SourceReport {
      let size = "\(header.pixelWidth)x\(header.pixelHeight) pixels"
      let isStill = header.frameCount == 1
      return SourceReport(
        source: source,
        lines: ["\(source.displayName): \(header.format.displayName), \(size)"]
          + facts.map { label, value in "  " + label.fitted(to: 12) + value.onOneLine },
        members: JSON.list([
          "format": .string(header.format.rawValue), "width": .integer(header.pixelWidth),
          "height": .integer(header.pixelHeight), "storedWidth": .integer(header.storedWidth),
          "storedHeight": .integer(header.storedHeight), "orientation": .integer(header.orientation.rawValue),
          "colorModel": .string(header.colorModel.rawValue), "bitsPerComponent": .integer(header.bitsPerComponent),
          "profile": header.profileName.map(JSON.string), "alpha": .bool(header.hasAlpha),
          "progressive": .bool(header.isProgressive), "frames": header.frameCount.map(JSON.integer),
          "duration": isStill ? nil : header.duration.map(JSON.number),
          "loops": isStill ? nil : .integer(header.loopCount), "exif": header.exif?.json,
          "bytesRead": .integer(bytesRead),
        ]))
    }

    private var facts: [(String, String)] {
      var facts = [
        ("colors", "\(header.colorModel.text), \(header.bitsPerComponent) bits"),
        ("profile", header.profileName ?? "none"), ("alpha", header.hasAlpha ? "yes" : "no"),
      ]
      if header.orientation != .up {
        facts.append(
          ("orientation", "\(header.orientation.text), stored as \(header.storedWidth)x\(header.storedHeight)"))
      }
      if header.isProgressive { facts.append(("passes", header.format == .jpeg ? "progressive" : "interlaced")) }
      if header.format.isVideo {
        facts.append(("duration", header.duration.map { Format.duration($0) } ?? "unknown"))
      } else if let animation {
        facts.append(("frames", animation))
      }
      if let exif = header.exif { facts += exif.facts }
      facts.append(("read", Format.bytes(Int64(bytesRead))))
      return facts
    }

    private var animation: String? {
      guard header.frameCount != 1 else { return nil }
      guard let count = header.frameCount else { return "unknown: the file is incomplete" }
      let duration = header.duration.map { ", \(Format.duration($0))" } ?? ""
      let repetition =
        switch header.loopCount {
        case 0: "endless"
        case 1: "played once"
        default: "played \(header.loopCount) times"
        }
      return "\(count)\(duration), \(repetition)"
    }
  }

  extension ImageHeader.ColorModel {
    fileprivate var text: String {
      switch self {
      case .gray: "gray"
      case .rgb: "RGB"
      case .indexed: "palette"
      case .cmyk: "CMYK"
      }
    }
  }

  extension Orientation {
    /// The transformation that makes the stored image upright.
    fileprivate var text: String {
      switch self {
      case .up: "upright"
      case .upMirrored: "mirrored left to right"
      case .down: "turned by 180°"
      case .downMirrored: "mirrored top to bottom"
      case .leftMirrored: "mirrored and turned 90° counterclockwise"
      case .right: "turned 90° clockwise"
      case .rightMirrored: "mirrored and turned 90° clockwise"
      case .left: "turned 90° counterclockwise"
      }
    }
  }

  extension EXIF {
    fileprivate var json: JSON {
      .members([
        "make": make.map(JSON.string), "model": model.map(JSON.string), "lens": lensModel.map(JSON.string),
        "taken": dateTimeOriginal.map(JSON.string), "exposureTime": exposureTime.map(JSON.number),
        "fNumber": fNumber.map(JSON.number), "iso": isoSpeed.map(JSON.integer),
        "focalLength": focalLength.map(JSON.number), "location": .bool(hasLocation),
      ])
    }

    fileprivate var facts: [(String, String)] {
      let camera = [make, model].compactMap { $0 }.joined(separator: " ")
      let facts = [
        ("camera", camera), ("lens", lensModel ?? ""), ("taken", dateTimeOriginal ?? ""), ("exposure", exposure),
        ("location", hasLocation ? "recorded" : ""),
      ]
      return facts.filter { !$0.1.isEmpty }
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
#endif
