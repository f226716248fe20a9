#if Server
  import HTTPTypes
  import NukeServing

  extension RequestHead {
    /// The fields of a request's head that matter for the response.
    init(_ method: Method, _ fields: HTTPFields) {
      self.init(method)
      for field in fields {
        if let name = Name(lowercased: field.name.canonicalName) { append(name, field.value) }
      }
    }
  }
#endif
