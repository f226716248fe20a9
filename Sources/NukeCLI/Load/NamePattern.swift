#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// A pattern for the paths of outputs, such as `thumbnails/tn_{name}.{ext}`.
  package struct NamePattern: Sendable {
    package enum Placeholder: String, CaseIterable, Sendable {
      case name, ext, index, width, height, dir
    }

    private enum Part: Sendable {
      case text(String)
      case placeholder(Placeholder)
    }

    private let parts: [Part]

    /// Creates a pattern from a path with placeholders in braces. `{{` stands for a brace. Returns `nil` if the path has no
    /// opening brace.
    ///
    /// - Throws: `ValidationError` for an unknown placeholder.
    package init?(_ path: String) throws {
      guard path.utf8.contains(UInt8(ascii: "{")) else { return nil }
      var (parts, text) = ([Part](), "")
      var rest = path.unicodeScalars[...]
      while let scalar = rest.popFirst() {
        guard scalar == "{" else {
          text.unicodeScalars.append(scalar)
          continue
        }
        if rest.first == "{" {
          rest.removeFirst()
          text += "{"
          continue
        }
        let name = String(rest.prefix { $0 != "}" && $0 != "/" })
        rest = rest.dropFirst(name.unicodeScalars.count)
        guard rest.popFirst() == "}", let placeholder = Placeholder(rawValue: name) else {
          throw ValidationError(
            "Unknown placeholder {\(name)} in \(path): use \(Self.names), or {{ for a brace."
              + name.nearest(of: Placeholder.allCases.map(\.rawValue)))
        }
        parts += [.text(text), .placeholder(placeholder)]
        text = ""
      }
      self.parts = parts + [.text(text)]
    }

    /// The placeholders, for messages.
    static let names = Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")

    /// The section of help texts, indented as they are.
    static let help = """
      Braces in the output are filled in for each source: {name} its name without extension, {ext} the extension of \
      the output, {index} its number, {width} and {height} those of the result, {dir} its folder below the one that was \
      given with --recursive. Folders are created. {{ stands for a brace.
      """

    /// `true` if the path contains the size of the image.
    var needsSize: Bool { contains(.width) || contains(.height) }

    /// `true` if the paths of several sources can differ.
    var namesSources: Bool { contains(.name) || contains(.index) }

    func contains(_ placeholder: Placeholder) -> Bool {
      parts.contains {
        if case .placeholder(placeholder) = $0 { true } else { false }
      }
    }

    /// Returns the path with the values of all placeholders. An empty value leaves no empty folder: the path is absolute
    /// only if the pattern begins with a slash.
    package func path(_ value: (Placeholder) -> String) -> String {
      var path = ""
      for part in parts {
        switch part {
        case .text(let text): path += text
        case .placeholder(let placeholder): path += value(placeholder)
        }
      }
      let components = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
      let isAbsolute = if case .text(let text) = parts.first { text.utf8.first == UInt8(ascii: "/") } else { false }
      return (isAbsolute ? "/" : "") + components.joined(separator: "/")
    }

    /// Returns the folder before the first placeholder; `nil` if that is the current one.
    static func folder(of path: String) -> String? {
      let fixed = path.utf8.prefix { $0 != UInt8(ascii: "{") }
      return fixed.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) }
    }
  }
#endif
