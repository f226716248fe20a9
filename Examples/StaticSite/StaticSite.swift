import Foundation
import Nuke
import NukeCodecs
import NukeImaging

/// A step of a static site generator: gives the images of HTML pages several sizes, their dimensions, and a placeholder.
///
///     swift run StaticSite public
///
/// `<img src="lake.jpg">` becomes `<img src="lake.jpg" srcset="lake-480w.webp 480w, …" width="1600" height="1200"
/// loading="lazy" style="background-color: #5f7d8a" data-blurhash="…">`. The variants are written beside the image.
/// Images that have a `srcset` already, and those of other sites, stay as they are.
@main struct StaticSite {
  static let widths = [480, 960, 1600]

  static func main() async {
    guard CommandLine.arguments.count == 2, let root = CommandLine.arguments.last else {
      print("usage: StaticSite FOLDER")
      exit(64)
    }
    let folder = URL(fileURLWithPath: root, isDirectory: true)
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
    var hasFailed = false
    for page in files.filter({ $0.pathExtension == "html" }).sorted(by: { $0.path < $1.path }) {
      do {
        try await rewrite(page, in: folder)
      } catch {
        FileHandle.standardError.write(Data("StaticSite: \(page.path): \(error)\n".utf8))
        hasFailed = true
      }
    }
    exit(hasFailed ? 1 : 0)
  }

  /// Rewrites the images of a page. The page is replaced as a whole, after all variants have been written.
  static func rewrite(_ page: URL, in root: URL) async throws {
    let html = try String(contentsOf: page, encoding: .utf8)
    var result = ""
    var rest = html[...]
    while let tag = rest.firstMatch(of: /<img\b[^>]*>/) {
      result += rest[..<tag.range.lowerBound]
      result += try await rewrite(tag: tag.output, of: page, in: root)
      rest = rest[tag.range.upperBound...]
    }
    result += rest
    if result != html { try Data(result.utf8).write(to: page, options: .atomic) }
  }

  private static func rewrite(tag: Substring, of page: URL, in root: URL) async throws -> String {
    guard !tag.contains(/\ssrcset\s*=/), let source = tag.firstMatch(of: /\ssrc="([^"#?]+)"/)?.1,
      let file = file(String(source), of: page, in: root)
    else { return String(tag) }
    let data = try Data(contentsOf: file)
    let size = try orientedSize(of: data)
    var variants: [String] = []
    for width in widths where width < size.width {
      variants.append("\(try await variant(of: file, source: source, width: width)) \(width)w")
    }
    // A hash cannot represent more detail.
    let small = try await ImagePipeline.shared.image(for: request(file, width: 64))
    let hash = try BlurHash(encoding: small)
    var attributes = ""
    if !variants.isEmpty { attributes += " srcset=\"\(variants.joined(separator: ", ")), \(source) \(size.width)w\"" }
    for (name, value) in [
      ("width", "\(size.width)"), ("height", "\(size.height)"), ("loading", "lazy"),
      ("style", "background-color: \(hash.averageColor.hex)"), ("data-blurhash", escaped(hash.description)),
    ] where tag.range(of: " \(name)=") == nil {
      attributes += " \(name)=\"\(value)\""
    }
    let end = tag.firstMatch(of: /\s*\/?>$/)?.range.lowerBound ?? tag.endIndex
    return tag[..<end] + attributes + tag[end...]
  }

  /// Writes an image of a width, unless there is one that is newer than its source. Returns its address in the page.
  private static func variant(of file: URL, source: Substring, width: Int) async throws -> String {
    let suffix = "-\(width)w.webp"
    let target = URL(fileURLWithPath: file.deletingPathExtension().path + suffix)
    if try !isCurrent(target, for: file) {
      let image = try await ImagePipeline.shared.image(for: request(file, width: width))
      guard let data = ImageEncoders.ImageIO(type: .webp, compressionRatio: 0.8).encode(image) else {
        throw CocoaError(.fileWriteUnknown)
      }
      try data.write(to: target, options: .atomic)
    }
    let stem = source.lastIndex(of: ".").map { source[..<$0] } ?? source
    return stem + suffix
  }

  private static func isCurrent(_ target: URL, for file: URL) throws -> Bool {
    let date = { (url: URL) in try? url.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate }
    guard let made = date(target), let changed = date(file) else { return false }
    return made >= changed
  }

  /// JPEG files are decoded at a reduced size, in a fraction of the time. The caches would keep images used only once.
  private static func request(_ file: URL, width: Int) -> ImageRequest {
    ImageRequest(
      url: file, processors: [.resize(width: CGFloat(width), unit: .pixels)],
      options: [.disableMemoryCache, .disableDiskCache])
  }

  /// The local file of an address; `nil` for those of other sites, and for formats without pixels.
  private static func file(_ source: String, of page: URL, in root: URL) -> URL? {
    guard !source.contains("://"), !source.hasPrefix("//"), !source.hasPrefix("data:"),
      let path = source.removingPercentEncoding,
      ["jpg", "jpeg", "png", "webp"].contains(URL(fileURLWithPath: path).pathExtension.lowercased())
    else { return nil }
    return path.hasPrefix("/")
      ? root.appendingPathComponent(String(path.dropFirst()))
      : page.deletingLastPathComponent().appendingPathComponent(path)
  }

  private static func orientedSize(of data: Data) throws -> (width: Int, height: Int) {
    guard let header = try ImageReaders.header(ofPrefix: data) else { throw CocoaError(.fileReadCorruptFile) }
    return (header.pixelWidth, header.pixelHeight)
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "\"", with: "&quot;")
  }
}
