/// An entity tag (RFC 9110 §8.8.3).
package struct EntityTag: Hashable, Sendable {
  package let isWeak: Bool
  /// The bytes between the quotation marks.
  package let opaque: FieldBytes

  /// Parses a value that consists of one entity tag. Returns `nil` for anything else, such as a tag without quotation
  /// marks.
  package init?(_ bytes: FieldBytes) {
    var rest = bytes
    guard let tag = EntityTag(next: &rest), rest.isEmpty else { return nil }
    self = tag
  }

  /// Parses the entity tag at the beginning of a list, and removes it from `rest`.
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

  /// The strong comparison (RFC 9110 §8.8.3.2): both tags are equal and neither is weak.
  package func isStronglyEqual(to other: EntityTag) -> Bool {
    !isWeak && !other.isWeak && opaque == other.opaque
  }

  /// The weak comparison (RFC 9110 §8.8.3.2): both tags are equal, weak or not.
  package func isWeaklyEqual(to other: EntityTag) -> Bool { opaque == other.opaque }

  /// The entity tag as written in a header field.
  package var bytes: [UInt8] { (isWeak ? Array("W/\"".utf8) : Array("\"".utf8)) + opaque + [UInt8(ascii: "\"")] }
}

/// The condition of an `If-None-Match` or `If-Match` field (RFC 9110 §13.1.1, §13.1.2).
package enum EntityTagCondition {
  case any
  /// The valid entity tags of all lines.
  case tags([EntityTag])

  /// Parses the `If-None-Match` of a request. Returns `nil` if it has none.
  init?(_ fields: HTTPFields) {
    guard fields.contains(.ifNoneMatch) else { return nil }
    self = .tags([])
    fields.forEach(.ifNoneMatch) { add($0) }
  }

  /// Parses the value of one line, or of all lines joined by commas.
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
        // Not an entity tag: skip to the next comma.
        rest = rest.drop { $0 != UInt8(ascii: ",") }.dropFirst().trimmed
      }
    }
    self = .tags(tags)
  }

  /// Returns `true` if the tag matches by the weak comparison, as `If-None-Match` requires. `nil` matches only `*`.
  package func matches(_ tag: EntityTag?) -> Bool { matches(tag) { $0.isWeaklyEqual(to: $1) } }

  /// Returns `true` if the tag matches by the strong comparison, as `If-Match` requires. `nil` matches only `*`.
  package func matchesStrongly(_ tag: EntityTag?) -> Bool { matches(tag) { $0.isStronglyEqual(to: $1) } }

  private func matches(_ tag: EntityTag?, by isEqual: (EntityTag, EntityTag) -> Bool) -> Bool {
    switch self {
    case .any: true
    case .tags(let tags): tag.map { tag in tags.contains { isEqual($0, tag) } } ?? false
    }
  }
}
