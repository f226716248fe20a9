package import Foundation

extension ImageFormat {
  /// Returns a description of data in no supported format, to complete the sentence "it looks like …"; `nil` if nothing
  /// is recognized.
  ///
  /// The usual cause is a server that responds with a page instead of an image, or an image in a format that is not
  /// built in. The error describes the data, so that the user does not have to open the file.
  package static func name(ofUnrecognized data: Data) -> String? {
    let head = [UInt8](data.prefix(1024))
    guard !head.isEmpty else { return "an empty file" }
    return nameOfBinary(head) ?? nameOfBoxes(head) ?? nameOfText(head, isWhole: data.count <= head.count)
  }

  private static func nameOfBinary(_ head: [UInt8]) -> String? {
    func starts(_ signature: [UInt8], at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: signature) }
    func starts(_ signature: String, at offset: Int = 0) -> Bool { starts(Array(signature.utf8), at: offset) }

    if starts("%PDF-") { return "a PDF document" }
    if starts([0x50, 0x4B, 3, 4]) || starts([0x50, 0x4B, 5, 6]) { return "a ZIP archive" }
    if starts([0x1F, 0x8B, 8]) { return "gzip-compressed data" }
    if starts([0xFF, 0x4F, 0xFF, 0x51]) || starts([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]) {
      return "a JPEG 2000 image"
    }
    if starts("8BPS") { return "a Photoshop document" }
    if starts("qoif") { return "a QOI image" }
    if starts([0x1A, 0x45, 0xDF, 0xA3]) { return "a Matroska video" }
    if starts("RIFF"), starts("AVI ", at: 8) { return "an AVI video" }
    if starts("RIFF"), starts("WAVE", at: 8) { return "a WAV sound" }
    return nil
  }

  /// The ISO base media formats: a `ftyp` box names the major brand, a minor version and compatible brands.
  private static func nameOfBoxes(_ head: [UInt8]) -> String? {
    switch fileTypeBrands(head).first {
    case nil: return nil
    case "M4A ", "M4B ", "M4P ": return "an MP4 sound"
    default: return "an MP4 video"
    }
  }

  private static func nameOfText(_ head: [UInt8], isWhole: Bool) -> String? {
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return "plain text" }
    var bytes = head[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    guard isText(bytes, isWhole: isWhole) else { return nil }

    let text = String(decoding: bytes, as: UTF8.self).lowercased().drop(while: \.isWhitespace)
    if text.hasPrefix("<") {
      let tags = ["<!doctype html", "<html", "<head", "<body", "<title", "<script", "<meta"]
      if tags.contains(where: text.contains) { return "HTML" }
      if text.hasPrefix("<?xml") || text.hasPrefix("<!doctype") { return "XML" }
    }
    if text.hasPrefix("{") || text.hasPrefix("[") {
      let next = text.dropFirst().first { !$0.isWhitespace }
      if let next, "\"{[]}-tfn0123456789".contains(next) { return "JSON" }
    }
    return "plain text"
  }

  /// Returns `true` if the bytes are UTF-8 without control characters. A truncated character at the end is accepted if
  /// the file is longer.
  private static func isText(_ bytes: ArraySlice<UInt8>, isWhole: Bool) -> Bool {
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }) else { return false }
    let lengths = isWhole ? 0...0 : 0...3
    return lengths.contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
  }
}
