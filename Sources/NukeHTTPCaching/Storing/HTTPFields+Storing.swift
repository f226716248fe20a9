extension HTTPFields {
  /// Returns the fields to store (RFC 9111 §3.1): without connection-specific and proxy fields, and without fields that
  /// `no-cache` names.
  ///
  /// Fields that decide about reuse are kept even if `Connection` names them. Without its `Cache-Control`, a response
  /// could become cacheable.
  func storable(_ control: ResponseCacheControl) -> HTTPFields {
    // A set, because the server controls the number of both names and fields: a nested loop would be quadratic.
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

  /// Returns the stored fields, updated with these from a newer response (RFC 9111 §3.2). Fields that describe the
  /// stored body keep their values: its length, range and encoding.
  func updating(_ stored: HTTPFields) -> HTTPFields {
    let new = storable(ResponseCacheControl(self))
    var fields = stored
    // Age and Date describe the old response. The new response replaces them even if it has neither.
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
