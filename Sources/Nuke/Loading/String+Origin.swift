extension String {
  /// Scheme, host and port of a URL, as it is written: what comes before the path.
  var originOfURL: Substring {
    var slashes = 0
    let end = utf8.firstIndex { byte in
      if byte == UInt8(ascii: "/") { slashes += 1 }
      return slashes == 3 || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
    return self[..<(end ?? endIndex)]
  }
}
