import Foundation
import NukeCodecs
import Testing

/// A small file that asks for much: something is repeated, nested, referred to, or stated to be large.
struct HostileShape: Sendable, CustomTestStringConvertible {
  /// The expected result of reading the file.
  enum Outcome: Sendable {
    /// It is rejected, by an error that contains these words.
    case rejected(String)
    /// Its image is read, without what is hostile.
    case read
  }

  let name: String
  let format: ImageFormat
  let outcome: Outcome
  let data: @Sendable () throws -> Data

  init(_ name: String, _ format: ImageFormat, _ outcome: Outcome, _ data: @escaping @Sendable () throws -> Data) {
    (self.name, self.format, self.outcome, self.data) = (name, format, outcome, data)
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
