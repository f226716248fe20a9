import Foundation
import NukeCodecs
import Testing

/// A small file that asks for much: something is repeated, nested, referred to, or stated to be large.
struct HostileShape: Sendable, CustomTestStringConvertible {
  /// What becomes of it.
  enum End: Sendable {
    /// It is rejected, by an error that contains these words.
    case rejected(String)
    /// Its image is read, without what is hostile.
    case read
  }

  let name: String
  let format: ImageFormat
  let end: End
  let data: @Sendable () throws -> Data

  init(_ name: String, _ format: ImageFormat, _ end: End, _ data: @escaping @Sendable () throws -> Data) {
    (self.name, self.format, self.end, self.data) = (name, format, end, data)
  }

  /// A shape that a limit of work has to stop.
  init(_ name: String, _ format: ImageFormat, _ work: DecodeWork, _ data: @escaping @Sendable () throws -> Data) {
    self.init(name, format, .rejected("\(CodecError.tooComplex(format, work))"), data)
  }

  var testDescription: String { "\(format.displayName): \(name)" }

  static var all: [HostileShape] {
    var shapes = bitmaps
    #if SVG
      shapes += drawings
    #endif
    #if TIFF
      shapes += directories
    #endif
    #if HEIC && AVIF && JPEGXL && Video
      shapes += boxes
    #endif
    return shapes
  }
}
