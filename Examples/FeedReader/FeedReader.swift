import Foundation
import FoundationXML
import Nuke
import NukeTerminal

/// Shows the newest entries of an RSS or Atom feed with their images: `swift run FeedReader https://… [COUNT]`
@main struct FeedReader {
  @MainActor static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard let url = arguments.first.flatMap({ URL(string: $0) }), let count = Int(arguments.dropFirst().first ?? "10")
    else {
      print("usage: FeedReader URL [COUNT]")
      exit(64)
    }
    do {
      // The pipeline loads any data. Its HTTP cache asks the server whether a stored feed is still current.
      let (data, _) = try await ImagePipeline.shared.data(for: ImageRequest(url: url))
      let entries = try Feed.entries(of: data, at: url).prefix(max(count, 0))
      await show(Array(entries))
    } catch {
      FileHandle.standardError.write(Data("FeedReader: \(url) cannot be read: \(error)\n".utf8))
      exit(1)
    }
  }

  /// Writes entries in their order. The images of later entries are loaded while earlier ones are shown.
  @MainActor static func show(_ entries: [Feed.Entry]) async {
    // Nothing is queried from a terminal that is a file or a pipe.
    let view = TerminalImageView(
      capabilities: .current(), size: TerminalSize(columns: 40, rows: 10), fileHandle: .standardOutput)
    let prefetcher = ImagePrefetcher()
    prefetcher.startPrefetching(with: entries.compactMap { $0.image.map(request) })
    for entry in entries {
      write("\n\(onOneLine(entry.title))\n\(onOneLine(entry.link))\n")
      guard let image = entry.image else { continue }
      do {
        let response = try await ImagePipeline.shared.imageTask(with: request(image)).response
        view.display(ImagePresentation(container: response.container, phase: .success))
        await view.waitUntilPlayed()
        view.release()
      } catch {
        write("[no image: \(error.localizedDescription)]\n")
      }
    }
    prefetcher.stopPrefetching()
  }

  /// A request for an image as large as the view, whatever the terminal's cells measure.
  static func request(_ url: URL) -> ImageRequest {
    var request = ImageRequest(url: url)
    request.thumbnail = .init(maxPixelSize: 640)
    return request
  }

  /// Returns the text with spaces in place of control characters. XML allows some, such as U+009B, with which a feed could
  /// control the terminal.
  private static func onOneLine(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  private static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}

/// Reads RSS 2.0 and Atom.
final class Feed: NSObject, XMLParserDelegate {
  struct Entry {
    var title = ""
    var link = ""
    var image: URL?
  }

  private let address: URL
  private var entries: [Entry] = []
  private var entry: Entry?
  private var text = ""
  private var depth = 0

  private init(_ address: URL) { self.address = address }

  static func entries(of data: Data, at address: URL) throws -> [Entry] {
    let feed = Feed(address)
    let parser = XMLParser(data: data)
    parser.delegate = feed
    // The parser does not report that a document ends too early.
    guard parser.parse(), feed.depth == 0 else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    return feed.entries
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    text = ""
    depth += 1
    if name == "item" || name == "entry" { entry = Entry() }
    guard entry != nil else { return }
    switch name {
    case "link": attributes["href"].map { entry?.link = $0 }
    case "enclosure" where attributes["type"]?.hasPrefix("image/") == true: setImage(attributes["url"])
    case "media:content" where attributes["medium"] == "image" || attributes["type"]?.hasPrefix("image/") == true:
      setImage(attributes["url"])
    case "media:thumbnail": setImage(attributes["url"])
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    depth -= 1
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch name {
    case "title": entry?.title = text
    case "link" where !text.isEmpty: entry?.link = text
    case "description", "summary", "content", "content:encoded":
      if let match = text.firstMatch(of: /<img[^>]*\ssrc="([^"]+)"/) { setImage(String(match.1)) }
    case "item", "entry":
      entry.map { entries.append($0) }
      entry = nil
    default: break
    }
  }

  /// Keeps the first image. Addresses may be relative to that of the feed.
  private func setImage(_ text: String?) {
    guard entry?.image == nil, let text else { return }
    entry?.image = URL(string: text, relativeTo: address)?.absoluteURL
  }
}
