#if Server
  import HTTPTypes
  import NukeServing

  extension RequestHead {
    /// What of a request's head counts.
    init(_ method: Method, _ fields: HTTPFields) {
      self.init(method)
      for field in fields {
        if let name = Name(lowercased: field.name.canonicalName) { append(name, field.value) }
      }
    }
  }
#endif
