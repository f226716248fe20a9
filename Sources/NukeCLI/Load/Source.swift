package import Foundation

/// Where an image is to come from, as the user named it.
package struct Source: Sendable, Equatable {
  package enum Location: Sendable, Equatable {
    case url(URL)
    case file(path: String)
    /// What was named cannot be a source; the reason is one phrase.
    case unusable(reason: String)
  }

  /// As it was given.
  package let text: String
  package let location: Location

  /// The schemes that are loaded. What has another one and no `//` is taken for a path.
  private static let schemes: Set<String> = ["http", "https", "ftp", "file", "data"]

  package init(_ text: String) {
    self.init(text: text, location: Self.location(of: text))
  }

  init(text: String, location: Location) {
    self.text = text
    self.location = location
  }

  /// What is shown: a long `data:` URL shortened, and nothing that would break the line.
  package var displayName: String {
    let isData = text.prefix(5).lowercased() == "data:"
    return (isData && text.utf8.count > 60 ? text.prefix(48) + "…" : text[...]).description.onOneLine
  }

  /// The URL to load, where there is one.
  package var url: URL? {
    switch location {
    case .url(let url): url
    case .file(let path): URL(fileURLWithPath: path)
    case .unusable: nil
    }
  }

  /// A name for a file made of it, without folders and ending.
  package var stem: String {
    let name: String
    switch location {
    case .url(let url) where url.scheme?.lowercased() != "data":
      name = url.lastPathComponent == "/" ? url.host ?? "" : url.lastPathComponent
    case .file(let path): name = (path as NSString).lastPathComponent
    case .url, .unusable: name = ""
    }
    // Nothing that leads to another folder, hides the file or steers a terminal.
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
      return .unusable(reason: "the URL names no host")
    }
    return .url(url)
  }

  /// The scheme in lower case, of what is meant as a URL: `a:b.jpg` may be a file.
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
  /// The sources named on the command line, the list on standard input in the place of `-`. Empty lines are left out.
  package static func list(_ arguments: [String], readLine: () -> String?) -> [Source] {
    var sources: [Source] = []
    for argument in arguments {
      guard argument == "-" else {
        sources.append(Source(argument))
        continue
      }
      while let line = readLine() {
        let name = line.trimmingCharacters(in: .whitespacesAndNewlines)
        if !name.isEmpty { sources.append(Source(name)) }
      }
    }
    return sources
  }
}
