/// Several ranges of a whole in one body (RFC 9110 §14.6, §15.3.7.2).
struct MultipartRanges {
  let contentType: String
  let pieces: [Answer.Piece]

  /// - Parameter entityTag: makes the line between the parts, which stands in none of them: it is of a hash of the whole.
  init(_ ranges: [Range<Int>], of length: Int, contentType: String, entityTag: String) {
    let boundary = "part-" + String(entityTag.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(60))
    self.contentType = "multipart/byteranges; boundary=\(boundary)"
    var pieces: [Answer.Piece] = []
    for (index, range) in ranges.enumerated() {
      let head =
        "\(index == 0 ? "" : "\r\n")--\(boundary)\r\nContent-Type: \(contentType)\r\n"
        + "Content-Range: \(AnswerRules.contentRange(range, of: length))\r\n\r\n"
      pieces += [.text(head), .part(range)]
    }
    self.pieces = pieces + [.text("\r\n--\(boundary)--\r\n")]
  }
}
