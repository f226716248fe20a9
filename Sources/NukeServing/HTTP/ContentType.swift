/// The media types of responses.
enum ContentType {
  static let plainText = "text/plain; charset=utf-8"
  static let json = "application/json; charset=utf-8"

  /// Returns a media type that a browser does not execute. Images and text are kept. Other types, such as pages and
  /// scripts that a source may be, become `application/octet-stream`.
  static func safe(_ type: String) -> String {
    if type == "text/plain" { return plainText }
    let isImage =
      type.utf8.count <= 64 && type.hasPrefix("image/")
      && type.utf8.dropFirst(6).allSatisfy { $0.isLetterOrDigit || "+-.".utf8.contains($0) }
    if isImage, type.utf8.count > 6 { return type }
    return type == plainText || type == json ? type : "application/octet-stream"
  }
}
