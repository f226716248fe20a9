package import Foundation
import Nuke

/// The source of an image, as the user typed it.
package struct Source: Sendable, Equatable {
  package enum Location: Sendable, Equatable {
    case url(URL)
    case file(path: String)
    /// The bytes of an image on standard input.
    case standardInput
    /// The text is not a source; the reason is one phrase.
    case unusable(reason: String)
  }

  package let text: String
  package let location: Location

  /// The schemes that are loaded. A text with another scheme and without `//` is a path.
  private static let schemes: Set<String> = ["http", "https", "ftp", "file", "data"]

  package init(_ text: String) {
    self.init(text: text, location: Self.location(of: text))
  }

  init(text: String, location: Location) {
    self.text = text
    self.location = location
  }

  /// Creates the source of an argument, in which `-` is standard input.
  package init(argument: String) {
    self.init(text: argument, location: argument == "-" ? .standardInput : Self.location(of: argument))
  }

  /// The text on one line, with a long `data:` URL shortened. Of other URLs, the user name, the password and the query are
  /// left out, since they may be secret.
  package var displayName: String {
    switch location {
    case .standardInput: return "standard input"
    case .file: return text.onOneLine
    case .url, .unusable: break
    }
    if text.prefix(5).lowercased() == "data:" {
      return (text.utf8.count > 60 ? text.prefix(48) + "…" : text[...]).description.onOneLine
    }
    let plain = text.withoutSecrets
    return (plain.utf8.count < text.withoutUserInfo.utf8.count ? plain + "?…" : plain).onOneLine
  }

  /// The text for programs, which is the given one without the user name and the password of a URL.
  package var textForPrograms: String { if case .url = location { text.withoutUserInfo } else { text } }

  /// The URL to load; `nil` for standard input, and if the source is unusable.
  package var url: URL? {
    switch location {
    case .url(let url): url
    case .file(let path): URL(fileURLWithPath: path)
    case .standardInput, .unusable: nil
    }
  }

  /// Returns a request for the image. Throws if the source is unusable.
  ///
  /// - Parameter limit: the maximum number of bytes on standard input. The pipeline limits files and downloads.
  func request(limit: Int? = nil) throws(LoadFailure) -> ImageRequest {
    guard location == .standardInput else { return ImageRequest(url: try loadableURL()) }
    // Another run has another image there, so that it is never stored on disk.
    return ImageRequest(id: text, data: { try await StandardInput.data(limit: limit) }, options: .disableDiskCache)
  }

  /// Returns the URL to load. Throws if the source is unusable or has no URL.
  func loadableURL() throws(LoadFailure) -> URL {
    if case .unusable(let reason) = location { throw LoadFailure(reason) }
    guard let url else { throw LoadFailure("it has no name: use a path or a URL") }
    return url
  }

  /// The name of an output file for the source, without folders and extension.
  package var stem: String {
    let name: String
    switch location {
    case .url(let url) where url.scheme?.lowercased() != "data":
      name = url.lastPathComponent == "/" ? url.host ?? "" : url.lastPathComponent
    case .file(let path): name = (path as NSString).lastPathComponent
    case .url, .standardInput, .unusable: name = ""
    }
    // The name cannot lead to another folder, hide the file, or control a terminal.
    let stem = (name.onOneLine.replacingOccurrences(of: "/", with: "_") as NSString).deletingPathExtension
    let visible = stem.drop { $0 == "." || $0 == " " }
    return visible.isEmpty
      ? "image"
      : String(decoding: visible.utf8.prefix(120), as: UTF8.self)
        .replacingOccurrences(of: "\u{FFFD}", with: "_")
  }

  private static func location(of text: String) -> Location {
    guard !text.isEmpty else { return .unusable(reason: "the name is empty") }
    guard !text.utf8.contains(0) else { return .unusable(reason: "the name contains a zero byte") }
    guard let scheme = scheme(of: text) else { return .file(path: text) }
    guard schemes.contains(scheme) else { return .unusable(reason: "\(scheme): URLs cannot be loaded") }
    guard let url = URL(string: text) else { return .unusable(reason: "not a valid URL") }
    if ["http", "https", "ftp"].contains(scheme), (url.host ?? "").isEmpty {
      return .unusable(reason: "the URL has no host")
    }
    return .url(url)
  }

  /// Returns the scheme in lowercase; `nil` for a path. `a:b.jpg` may be a file.
  private static func scheme(of text: String) -> String? {
    guard let colon = text.firstIndex(of: ":"), let first = text.first, first.isASCII, first.isLetter else {
      return nil
    }
    let scheme = text[..<colon].lowercased()
    guard scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }) else { return nil }
    return schemes.contains(scheme) || text[colon...].hasPrefix("://") ? scheme : nil
  }
}

extension Source {
  /// The origin of its data if no cache has it.
  var origin: ImageTask.Facts.Origin {
    switch location {
    case .standardInput: .closure
    case .file, .unusable: .file
    case .url(let url):
      switch url.scheme?.lowercased() {
      case "file": .file
      case "data": .inline
      default: .network
      }
    }
  }

  /// `true` if it is read without a server.
  var isLocal: Bool {
    switch location {
    case .file, .standardInput: true
    case .url(let url): ["file", "data"].contains(url.scheme?.lowercased())
    case .unusable: false
    }
  }
}
