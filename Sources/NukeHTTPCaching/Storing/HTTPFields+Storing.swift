extension HTTPFields {
  /// Without what is about one connection, about a proxy (RFC 9111 §3.1), or not to be used without validation
  /// (`no-cache` with field names).
  ///
  /// What the decisions rest on stays, whatever `Connection` names: to forget a `Cache-Control` would turn it around.
  func storable(_ control: ResponseCacheControl) -> HTTPFields {
    var named: [FieldBytes] = control.noCacheFields.map { Array($0.utf8)[...] }
    forEach(.connection) { named += FieldList($0) }
    var fields = self
    fields.remove { field in
      switch field.known {
      case .connection, .keepAlive, .proxyConnection, .te, .transferEncoding, .upgrade, .proxyAuthenticate,
        .proxyAuthenticationInfo, .proxyAuthorization:
        true
      case .age, .cacheControl, .contentEncoding, .contentLength, .contentRange, .date, .expires, .vary: false
      default: named.contains { field.name.isSame(as: $0) }
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
