import Foundation
import NukeCodecs

/// The `Content-Disposition` field (RFC 6266).
enum ContentDisposition {
  /// Returns the value of `Content-Disposition`; `nil` to send no such field.
  ///
  /// - Parameter contentType: determines the extension of the file name.
  static func text(
    _ options: ImageOptions, source: URL, contentType: String, isAttachment: Bool
  ) -> String? {
    let isAttachment = options.isAttachment ?? isAttachment
    guard isAttachment || options.filename != nil else { return nil }
    let kind = isAttachment ? "attachment" : "inline"
    let stem = options.filename ?? stem(of: source)
    return kind + parameters(of: cleaned(stem) + ending(contentType))
  }

  /// The last component of the source's path, without its extension.
  private static func stem(of source: URL) -> String {
    let name = source.lastPathComponent
    if name == "/" { return "" }
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }

  private static func ending(_ contentType: String) -> String {
    if contentType.hasPrefix("text/") { return ".txt" }
    return ImageFormat.allCases.first { $0.mediaType == contentType }.map { ".\($0.fileExtension)" } ?? ""
  }

  /// Returns a file name without path separators and without characters that change the direction of text (RFC 6266
  /// §4.3).
  static func cleaned(_ name: String) -> String {
    var scalars = String.UnicodeScalarView()
    var length = 0
    for scalar in name.unicodeScalars {
      length += UTF8.width(scalar)
      if length > 200 { break }
      guard scalar.isPrinted else { continue }
      scalars.append("/\\:*?\"<>|".unicodeScalars.contains(scalar) ? "_" : scalar)
    }
    let text = String(scalars).trimmingCharacters(in: CharacterSet(charactersIn: ". "))
    return text.isEmpty ? "image" : text
  }

  /// Returns the name in ASCII, and also in full if that differs (RFC 6266, appendix D).
  private static func parameters(of name: String) -> String {
    // Some clients decode escapes in a quoted string.
    let isPlain = { (scalar: Unicode.Scalar) in scalar.isASCII && scalar != "%" }
    let ascii = String(String.UnicodeScalarView(name.unicodeScalars.map { isPlain($0) ? $0 : "_" }))
    let plain = "; filename=\"\(ascii)\""
    guard ascii != name else { return plain }
    // RFC 8187 §3.2.1.
    return plain + "; filename*=UTF-8''" + PercentEncoding.encode(name, keeping: "-._~!$&+")
  }
}

extension Unicode.Scalar {
  /// `true` for printable characters. Line terminators, control characters, and characters that change the direction of
  /// text are not printable.
  package var isPrinted: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
