internal import Foundation
internal import NukeCodecs
internal import NukeImaging

/// Images by the graphics protocol of kitty: PNG in escape sequences.
///
/// https://sw.kovidgoyal.net/kitty/graphics-protocol/
enum KittyGraphics {
  /// Bytes of Base64 in one sequence, at most.
  static let chunkSize = 4096

  /// What shows an image at the cursor, which stays where it is.
  ///
  /// - Parameters:
  ///   - id: the image's number, by which it is deleted.
  ///   - cells: what it is stretched to; `nil` if it has the pixels of its cells already.
  static func show(_ image: Bitmap, id: UInt32, cells: TerminalSize?) throws(CodecError) -> [Data] {
    // It goes down a pipe once; a pixel more a byte is not worth the time of a higher level.
    let text = try PNGWriter(compressionLevel: 1).encode(image).base64EncodedData()
    // Answers would be taken for what was typed, so that none are wanted (q).
    var control = "a=T,f=100,t=d,q=2,C=1,i=\(id),p=1"
    if let cells { control += ",c=\(cells.columns),r=\(cells.rows)" }
    var commands: [Data] = []
    var rest = text[...]
    repeat {
      let chunk = rest.prefix(chunkSize)
      rest = rest.dropFirst(chunk.count)
      commands.append(command(control + ",m=\(rest.isEmpty ? 0 : 1)", chunk))
      control = "q=2"
    } while !rest.isEmpty
    return commands
  }

  /// What takes an image away, and lets the terminal forget it.
  static func delete(id: UInt32) -> Data { command("a=d,d=I,i=\(id),q=2", Data()) }

  private static func command(_ control: String, _ payload: Data) -> Data {
    var command = Data("\u{1B}_G\(control)".utf8)
    if !payload.isEmpty {
      command.append(UInt8(ascii: ";"))
      command.append(payload)
    }
    command.append(contentsOf: "\u{1B}\\".utf8)
    return command
  }
}
