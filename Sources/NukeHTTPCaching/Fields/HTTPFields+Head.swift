extension HTTPFields {
  /// The fields of a received head (RFC 9112 §5), from its status or request line on to its end.
  ///
  /// A line that continues the one before (obs-fold) becomes a part of its value. A line that is no field is left out.
  package init(head: [UInt8]) {
    self.init()
    reserve(fields: 24, bytes: head.count)
    var start = (head.firstIndex(of: 0x0A) ?? head.count - 1) + 1
    var pending: (name: FieldBytes, value: FieldBytes)?
    while start < head.count {
      let end = head[start...].firstIndex(of: 0x0A) ?? head.count
      defer { start = end + 1 }
      var line = head[start..<end]
      if line.last == 0x0D { line = line.dropLast() }
      if line.isEmpty { break }
      if line[start].isBlank {
        if let folded = pending { pending = (folded.name, Array(folded.value + [0x20] + line.trimmed)[...]) }
        continue
      }
      if let field = pending { append(name: field.name, value: field.value) }
      pending = line.firstIndex(of: UInt8(ascii: ":")).map { (line[..<$0], line[($0 + 1)...]) }
    }
    if let field = pending { append(name: field.name, value: field.value) }
  }
}
