extension HTTPFields {
  /// The content codings of the body in the order in which they were applied, in lower case (RFC 9110 §8.4). Values that
  /// do not encode the body are skipped.
  package var contentCodings: [String] {
    var codings: [String] = []
    forEach(.contentEncoding) { list in
      for element in FieldList(list) {
        let coding = String(decoding: element, as: UTF8.self).lowercased()
        if !Self.isNoCoding(coding) { codings.append(coding) }
      }
    }
    return codings
  }

  /// Returns `true` for values that do not encode the body. Many images on Amazon S3 have `base64` or `utf-8`, because
  /// that was passed to the program that uploaded them, and `aws-chunked` is a left-over of an upload.
  private static func isNoCoding(_ value: String) -> Bool {
    ["identity", "none", "binary", "base64", "utf-8", "utf8", "aws-chunked"].contains(value)
  }
}
