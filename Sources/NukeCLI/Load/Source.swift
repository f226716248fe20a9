package import Foundation
import Nuke

/// The source of an image, as the user typed it.
package struct Source: Sendable, Equatable {
  package enum Location: Sendable, Equatable {
    case url(URL)
    /// A path with the bytes of ``Swift/String/init(system:)``.
    case file(path: String)
    /// The bytes of an image on standard input.
    case standardInput
    /// The text is not a source; the reason is one phrase.
    case unusable(reason: String)
  }

  package let text: String
  package let location: Location
  /// The path of its folder in the one that was searched for images; empty for other sources.
  package let folder: String

  /// The schemes that are loaded. A text with another scheme and without `//` is a path.
  private static let schemes: Set<String> = ["http", "https", "ftp", "file", "data"]

  package init(_ text: String) {
    self.init(text: text, location: Self.location(of: text))
  }

  init(text: String, location: Location, folder: String = "") {
    self.text = text
    self.location = location
    self.folder = folder
  }

  /// Creates the source of an argument, which may be standard input.
  package init(argument: String) {
    self.init(
      text: argument, location: Self.isStandardInput(argument) ? .standardInput : Self.location(of: argument))
  }

  /// Returns `true` for `-`, and for the names that the system has for standard input. A socket cannot be opened by
  /// them.
  package static func isStandardInput(_ argument: String) -> Bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(argument)
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

  /// The text for programs, which is the given one without what may be secret in a URL; see
  /// ``Swift/String/withoutSecretValues``. For a path that is not UTF-8, it is a `file:` URL.
  package var textForPrograms: String {
    switch location {
    case .url, .unusable: text.withoutSecretValues.escapingRawBytes
    case .file(let path): path.pathForPrograms
    case .standardInput: text.escapingRawBytes
    }
  }

  /// Returns a text that contains the URL, such as a key of a cache, without what may be secret in it.
  func withoutSecrets(in text: String) -> String {
    guard case .url(let url) = location else { return text }
    return text.replacing(url.absoluteString, with: url.absoluteString.withoutSecretValues)
  }

  /// The URL to load; `nil` for standard input, and if the source is unusable.
  package var url: URL? {
    switch location {
    case .url(let url): url
    case .file(let path): path.fileURL
    case .standardInput, .unusable: nil
    }
  }

  /// The path of a local file; `nil` for other sources.
  package var path: String? {
    switch location {
    case .file(let path): path
    case .url(let url) where url.isFileURL: (try? LocalResource.path(of: url)).map { String(system: $0.bytes) }
    case .url, .standardInput, .unusable: nil
    }
  }

  /// Standard input, or the pipe that the source names; `nil` for other sources.
  var pipe: PipeInput? { location == .standardInput ? .standardInput : path.flatMap(PipeInput.at) }

  /// The identifier of its request.
  var id: String { url?.absoluteString ?? text }

  /// Returns a request for the image. Throws if the source is unusable.
  ///
  /// - Parameter limit: the maximum number of bytes of a pipe. The pipeline limits files and downloads.
  func request(limit: Int? = nil) throws(LoadFailure) -> ImageRequest {
    guard let pipe else { return ImageRequest(url: try loadableURL()) }
    // Another run has another image there, so that it is never stored on disk.
    return ImageRequest(id: id, data: { try await pipe.data(limit: limit) }, options: .disableDiskCache)
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
      // Foundation has no last component of a path that is not UTF-8.
      let last = url.path(percentEncoded: true).utf8.split(separator: UInt8(ascii: "/")).last
      name = last.map { String(system: LocalResource.percentDecoded($0)) } ?? url.host ?? ""
    case .file(let path): name = (path as NSString).lastPathComponent
    case .url, .standardInput, .unusable: name = ""
    }
    // The name cannot lead to another folder, hide the file, or control a terminal. Only that of a local file keeps
    // bytes that are not UTF-8.
    let plain = isLocal ? name.withoutControls : name.onOneLine
    let stem = (plain.replacingOccurrences(of: "/", with: "_") as NSString).deletingPathExtension
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
    guard let url = URL(escaping: text.systemBytes) else { return .unusable(reason: "not a valid URL") }
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
    if pipe != nil { return .closure }
    return switch location {
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

  /// The name of an origin of its data. Only standard input and pipes are loaded by a closure.
  func name(of origin: ImageTask.Facts.Origin) -> String {
    guard origin == .closure else { return origin.rawValue }
    return location == .standardInput ? "stdin" : "pipe"
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
