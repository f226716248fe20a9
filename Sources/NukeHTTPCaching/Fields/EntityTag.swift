/// An entity tag (RFC 9110 §8.8.3).
package struct EntityTag: Hashable, Sendable {
  package let isWeak: Bool
  /// Between the quotation marks.
  package let opaque: FieldBytes

  /// `nil` for what is not exactly one tag in its quotation marks, after `W/` where it is weak.
  package init?(_ bytes: FieldBytes) {
    var rest = bytes
    guard let tag = EntityTag(next: &rest), rest.isEmpty else { return nil }
    self = tag
  }

  /// Takes a tag from the beginning of a list.
  fileprivate init?(next rest: inout FieldBytes) {
    let isWeak = rest.starts(with: [UInt8(ascii: "W"), UInt8(ascii: "/")])
    let quoted = isWeak ? rest.dropFirst(2) : rest
    guard quoted.first == UInt8(ascii: "\""), let end = quoted.dropFirst().firstIndex(of: UInt8(ascii: "\"")) else {
      return nil
    }
    let opaque = quoted[(quoted.startIndex + 1)..<end]
    guard opaque.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
    self.isWeak = isWeak
    self.opaque = opaque
    rest = quoted[(end + 1)...]
  }

  /// Returns `true` if both mean the same bytes: neither is weak.
  package func isStronglyEqual(to other: EntityTag) -> Bool {
    !isWeak && !other.isWeak && opaque == other.opaque
  }

  /// Returns `true` if both mean the same, as far as the server cares.
  package func isWeaklyEqual(to other: EntityTag) -> Bool { opaque == other.opaque }

  /// As it stands in a field.
  package var bytes: [UInt8] { (isWeak ? Array("W/\"".utf8) : Array("\"".utf8)) + opaque + [UInt8(ascii: "\"")] }
}

/// The tags of an `If-None-Match`, or of an `If-Match` (RFC 9110 §13.1.1, §13.1.2).
package enum EntityTagCondition {
  case any
  /// Those that are well formed, from all lines.
  case tags([EntityTag])

  /// `nil` if the request has no such field.
  init?(_ fields: HTTPFields) {
    guard fields.contains(.ifNoneMatch) else { return nil }
    self = .tags([])
    fields.forEach(.ifNoneMatch) { add($0) }
  }

  /// Of one line, or of all lines as one list.
  package init(value: FieldBytes) {
    self = .tags([])
    add(value)
  }

  private mutating func add(_ line: FieldBytes) {
    guard case .tags(var tags) = self else { return }
    if line.elementsEqual([UInt8(ascii: "*")]) {
      self = .any
      return
    }
    var rest = line
    while !rest.isEmpty {
      if let tag = EntityTag(next: &rest) {
        tags.append(tag)
      } else {
        // On to what stands behind the next comma.
        rest = rest.drop { $0 != UInt8(ascii: ",") }.dropFirst().trimmed
      }
    }
    self = .tags(tags)
  }

  /// Returns `true` if one of the tags means the same, as far as the server cares.
  package func matches(_ tag: EntityTag?) -> Bool { matches(tag) { $0.isWeaklyEqual(to: $1) } }

  /// Returns `true` if one of the tags means the same bytes.
  package func matchesStrongly(_ tag: EntityTag?) -> Bool { matches(tag) { $0.isStronglyEqual(to: $1) } }

  private func matches(_ tag: EntityTag?, by isEqual: (EntityTag, EntityTag) -> Bool) -> Bool {
    switch self {
    case .any: true
    case .tags(let tags): tag.map { tag in tags.contains { isEqual($0, tag) } } ?? false
    }
  }
}
