/// The request fields that `Vary` names, with the values of the request that a response answered (RFC 9111 §4.1).
/// Values are normalized, so that equivalent ones are equal.
package struct SelectingFields: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    /// The field name in lower case.
    package let name: String
    /// The normalized value; `nil` if the request did not have the field.
    package let value: [UInt8]?

    package init(name: String, value: [UInt8]?) {
      self.name = name
      self.value = value
    }
  }

  /// The fields, sorted by name.
  package let fields: [Field]

  package static let none = SelectingFields(fields: [])

  package init(fields: [Field]) { self.fields = fields }

  /// Returns the fields of `request` that the response's `Vary` names, or `nil` for `Vary: *`, which no request
  /// matches.
  package init?(_ response: HTTPFields, request: HTTPFields) {
    guard response.contains(.vary) else {
      self = .none
      return
    }
    var names: Set<String> = []
    var isAny = false
    response.forEach(.vary) { line in
      for element in FieldList(line) {
        if element.elementsEqual([UInt8(ascii: "*")]) { isAny = true }
        names.insert(element.lowercasedText)
      }
    }
    if isAny { return nil }
    fields = names.sorted().map { Field(name: $0, value: Self.value(of: $0, in: request)) }
  }

  package var isEmpty: Bool { fields.isEmpty }

  /// Returns `true` if the selecting fields of `request` match.
  ///
  /// - Parameter language: the `Content-Language` of the response. If it is the request's preferred language, the
  ///   response matches whatever other languages `Accept-Language` lists.
  package func matches(_ request: HTTPFields, language: FieldBytes?) -> Bool {
    fields.allSatisfy { field in
      let value = Self.value(of: field.name, in: request)
      if value == field.value { return true }
      guard field.name == "accept-language", let value, let language else { return false }
      return LanguagePreference.favorite(of: value[...]).map { $0.isSame(as: language) } ?? false
    }
  }

  /// A string that is equal for equal fields. It identifies a variant of a URL.
  package var key: String {
    fields.map { field in
      field.value.map { "\(field.name)=\(String(decoding: $0, as: UTF8.self))" } ?? field.name
    }.joined(separator: "\n")
  }

  /// Returns the normalized value of a request field: the list elements of all lines, without white space around them.
  /// Elements are sorted and lowercased in fields where order and case have no meaning. Credentials are replaced by a
  /// checksum.
  private static func value(of name: String, in request: HTTPFields) -> [UInt8]? {
    guard !request.isEmpty else { return nil }
    let spelling = Array(name.utf8)[...]
    var elements: [FieldBytes] = []
    var isPresent = false
    for field in request where field.name.isSame(as: spelling) {
      isPresent = true
      elements += FieldList(field.value)
    }
    guard isPresent else { return nil }
    switch name {
    case "accept-language", "accept-encoding", "accept-charset":
      elements = elements.map { Array($0.map(\.lowercased).filter { !$0.isBlank })[...] }
      elements.sort { $0.lexicographicallyPrecedes($1) }
    case "accept": elements.sort { $0.lexicographicallyPrecedes($1) }
    case "authorization", "cookie", "proxy-authorization":
      // Selecting fields are written to disk, where credentials must not be readable.
      var checksum = Checksum()
      for element in elements { checksum.add(element + [UInt8(ascii: ",")]) }
      return Array(String(checksum.value, radix: 16).utf8)
    default: break
    }
    return Array(elements.joined(separator: [UInt8(ascii: ",")]))
  }
}

/// Finds the preferred language of an `Accept-Language` field (RFC 9110 §12.5.4).
enum LanguagePreference {
  /// Returns the language range with the highest weight, or `nil` if several have it or it is `*`.
  static func favorite(of value: FieldBytes) -> FieldBytes? {
    var best: (language: FieldBytes, weight: Int)?
    var isTied = false
    for element in FieldList(value) {
      let parts = element.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      guard let weight = weight(parts.dropFirst()) else { return nil }
      if let known = best, known.weight >= weight {
        isTied = isTied || known.weight == weight
      } else {
        best = (parts[0].trimmed, weight)
        isTied = false
      }
    }
    guard let best, !isTied, best.weight > 0, best.language.first != UInt8(ascii: "*") else { return nil }
    return best.language
  }

  private static func weight(_ parameters: ArraySlice<FieldBytes>) -> Int? {
    guard let parameter = parameters.first?.trimmed else { return 1000 }
    return parameters.count == 1 ? Weight.thousandths(parameter) : nil
  }
}
