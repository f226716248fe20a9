internal import Foundation
internal import NukeCodecs
internal import NukeImaging

/// Encodes images for the graphics protocol of kitty: PNG in escape sequences.
///
/// See https://sw.kovidgoyal.net/kitty/graphics-protocol/.
enum KittyGraphics {
  /// The maximum number of Base64 bytes in a sequence.
  static let chunkSize = 4096

  /// Returns the bytes that show an image at the cursor, which does not move.
  ///
  /// - Parameters:
  ///   - id: the number of the image, for deleting it.
  ///   - cells: the size to scale the image to; `nil` if it has the size of its cells already.
  static func show(_ image: Bitmap, id: UInt32, cells: TerminalSize?) throws(CodecError) -> [Data] {
    var placement = "C=1,p=1"
    if let cells { placement += ",c=\(cells.columns),r=\(cells.rows)" }
    return try send(image, id: id, placement)
  }

  /// Returns the bytes that send an image which ``KittyPlaceholders`` show. Nothing is drawn at the cursor.
  ///
  /// - Parameter cells: the cells of all placeholders, into which the image is fitted.
  static func prepare(_ image: Bitmap, id: UInt32, cells: TerminalSize) throws(CodecError) -> [Data] {
    try send(image, id: id, "U=1,c=\(cells.columns),r=\(cells.rows)")
  }

  private static func send(_ image: Bitmap, id: UInt32, _ placement: String) throws(CodecError) -> [Data] {
    // A low level, since the data is sent once, and better compression takes longer than sending.
    let text = try PNGWriter(compressionLevel: 1).encode(image).base64EncodedData()
    // Replies would be read as typed keys, so they are suppressed (q).
    var control = "a=T,f=100,t=d,q=2,i=\(id),\(placement)"
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

  /// Returns the bytes that delete an image and its data.
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
