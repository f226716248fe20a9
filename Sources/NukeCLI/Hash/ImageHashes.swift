import Foundation
import Nuke

/// What stands for an image until it is there.
struct ImageHashes: Sendable {
  enum Kind: String, CaseIterable {
    case blurHash, thumbHash, color, preview
  }

  let width: Int
  let height: Int
  var blurHash: String?
  var thumbHash: String?
  /// Of most of the image, and the mean.
  var colors: (dominant: String?, average: String?)?
  var preview: String?

  init(_ image: PlatformImage, _ kinds: Set<Kind>, components: (x: Int, y: Int)) throws {
    width = image.pixelWidth
    height = image.pixelHeight
    if kinds.contains(.blurHash) { blurHash = try BlurHash(encoding: image, components: components).string }
    if kinds.contains(.thumbHash) { thumbHash = try ThumbHash(encoding: image).string }
    if kinds.contains(.color) { colors = (image.dominantColor?.hex, image.averageColor?.hex) }
    if kinds.contains(.preview) { preview = try image.inlinePreview().absoluteString }
  }

  /// What each kind is, in the order in which it is printed.
  private var parts: [(name: String, value: String)] {
    [
      blurHash.map { ("BlurHash", $0) }, thumbHash.map { ("ThumbHash", $0) },
      colors.map { ("Colors", [$0.dominant ?? "none", "mean \($0.average ?? "none")"].joined(separator: ", ")) },
      preview.map { ("Preview", $0) },
    ].compactMap(\.self)
  }

  /// For a person; a single kind stands alone, so that it can be used as it is.
  ///
  /// - Parameter isNamed: whether the name stands behind a single kind, since there are several images.
  func lines(name: String, isNamed: Bool) -> [String] {
    if parts.count == 1 {
      let value = colors.flatMap(\.dominant) ?? parts[0].value
      return [isNamed ? "\(value)  \(name)" : value]
    }
    return ["\(name)  \(width)x\(height)"] + parts.map { "  \($0.name.fitted(to: 9))  \($0.value)" }
  }

  func json(source: String) -> JSON {
    .members([
      "source": .string(source), "ok": .bool(true), "width": .integer(width), "height": .integer(height),
      "blurhash": blurHash.map(JSON.string), "thumbhash": thumbHash.map(JSON.string),
      "color": colors?.dominant.map(JSON.string), "averageColor": colors?.average.map(JSON.string),
      "preview": preview.map(JSON.string),
    ])
  }
}
