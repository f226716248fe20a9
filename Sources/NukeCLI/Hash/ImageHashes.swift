#if Command
  import Foundation
  import Nuke

  /// The placeholders of an image.
  struct ImageHashes: Sendable {
    enum Kind: String, CaseIterable {
      case blurHash, thumbHash, color, dataURL
    }

    private let width: Int
    private let height: Int
    private var blurHash: String?
    private var thumbHash: String?
    private var colors: (dominant: String?, average: String?)?
    private var dataURL: String?

    init(_ image: PlatformImage, _ kinds: Set<Kind>, components: (x: Int, y: Int)) throws {
      width = image.pixelWidth
      height = image.pixelHeight
      if kinds.contains(.blurHash) { blurHash = try BlurHash(encoding: image, components: components).string }
      if kinds.contains(.thumbHash) { thumbHash = try ThumbHash(encoding: image).string }
      if kinds.contains(.color) { colors = (image.dominantColor?.hex, image.averageColor?.hex) }
      if kinds.contains(.dataURL) { dataURL = try image.inlinePreview().absoluteString }
    }

    private var parts: [(name: String, value: String)] {
      [
        blurHash.map { ("BlurHash", $0) }, thumbHash.map { ("ThumbHash", $0) },
        colors.map { ("Colors", [$0.dominant ?? "none", "average \($0.average ?? "none")"].joined(separator: ", ")) },
        dataURL.map { ("Data URL", $0) },
      ].compactMap(\.self)
    }

    /// - Parameter isNamed: `true` if the name follows a single placeholder, since there are several images.
    func report(_ source: Source, isNamed: Bool) -> SourceReport {
      let name = source.displayName
      let lines: [String]
      if parts.count == 1 {
        let value = colors.flatMap(\.dominant) ?? parts[0].value
        lines = [isNamed ? "\(value)  \(name)" : value]
      } else {
        lines = ["\(name)  \(width)x\(height)"] + parts.map { "  \($0.name.fitted(to: 9))  \($0.value)" }
      }
      return SourceReport(
        source: source, lines: lines,
        members: JSON.list([
          "width": .integer(width), "height": .integer(height), "blurhash": blurHash.map(JSON.string),
          "thumbhash": thumbHash.map(JSON.string), "color": colors?.dominant.map(JSON.string),
          "averageColor": colors?.average.map(JSON.string), "dataURL": dataURL.map(JSON.string),
        ]))
    }
  }
#endif
