#if SVG
  package import Foundation

  extension SVGReader {
    /// Returns a drawing with a style sheet before the contents of its first element, as plain text in UTF-8. Without
    /// contents, there is nothing to style, and the drawing is not changed.
    ///
    /// The result must be read like any other drawing: the sheet may refer to something external, or be costly.
    package static func styled(_ data: Data, _ sheet: String) throws(CodecError) -> Data {
      guard ImageFormat(sniffing: data) == .svg else {
        throw .malformed(.svg, reason: "the first element is not <svg>", offset: 0)
      }
      let text = try SVGText(data).output
      guard let end = endOfFirstTag(in: text), text[end - 2] != UInt8(ascii: "/") else { return Data(text) }
      return Data(text[..<end] + Array("<style>\(escaped(sheet))</style>".utf8) + text[end...])
    }

    /// Returns the position after the tag of the first element; `nil` if there is none.
    private static func endOfFirstTag(in text: [UInt8]) -> Int? {
      guard let start = text.firstIndex(of: UInt8(ascii: "<")) else { return nil }
      var quote: UInt8?
      for index in start..<text.count {
        let byte = text[index]
        if let open = quote {
          if byte == open { quote = nil }
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
        } else if byte == UInt8(ascii: ">") {
          return index + 1
        }
      }
      return nil
    }

    private static func escaped(_ text: String) -> String {
      text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
  }
#endif
