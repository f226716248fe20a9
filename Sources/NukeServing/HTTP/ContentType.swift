/// Media types that are sent.
enum ContentType {
  static let plainText = "text/plain; charset=utf-8"
  static let json = "application/json; charset=utf-8"

  /// A type under which a browser does nothing but show an image or a text: pages and scripts, which a source that is
  /// sent as it is may be, become bytes.
  static func safe(_ type: String) -> String {
    if type == "text/plain" { return plainText }
    let isImage =
      type.utf8.count <= 64 && type.hasPrefix("image/")
      && type.utf8.dropFirst(6).allSatisfy { $0.isLetterOrDigit || "+-.".utf8.contains($0) }
    if isImage, type.utf8.count > 6 { return type }
    return type == plainText || type == json ? type : "application/octet-stream"
  }
}
