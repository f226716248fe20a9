extension HTTPFields {
  /// Without what is about one connection, about a proxy (RFC 9111 §3.1), or not to be used without validation
  /// (`no-cache` with field names).
  ///
  /// What the decisions rest on stays, whatever `Connection` names: to forget a `Cache-Control` would turn it around.
  func storable(_ control: ResponseCacheControl) -> HTTPFields {
    // A set: the server decides how many there are, of these and of fields.
    var named = Set(control.noCacheFields.map { $0.lowercased() })
    forEach(.connection) { list in
      for name in FieldList(list) { named.insert(String(decoding: name, as: UTF8.self).lowercased()) }
    }
    var fields = self
    fields.remove { field in
      switch field.known {
      case .connection, .keepAlive, .proxyConnection, .te, .transferEncoding, .upgrade, .proxyAuthenticate,
        .proxyAuthenticationInfo, .proxyAuthorization:
        true
      case .age, .cacheControl, .contentEncoding, .contentLength, .contentRange, .date, .expires, .vary: false
      default: !named.isEmpty && named.contains(String(decoding: field.name, as: UTF8.self).lowercased())
      }
    }
    return fields
  }

  /// These fields in the place of the stored ones with the same names (RFC 9111 §3.2). The stored body keeps its length,
  /// its range and its encoding.
  func updating(_ stored: HTTPFields) -> HTTPFields {
    let new = storable(ResponseCacheControl(self))
    var fields = stored
    // When the one response was made and how old it was says nothing of the other.
    fields.remove { field in
      field.known == .age || field.known == .date || new.contains(field.name) && !Self.isOfBody(field)
    }
    for field in new where !Self.isOfBody(field) { fields.append(name: field.name, value: field.value) }
    return fields
  }

  private static func isOfBody(_ field: Field) -> Bool {
    switch field.known {
    case .contentLength, .contentRange, .contentEncoding: true
    default: false
    }
  }
}
