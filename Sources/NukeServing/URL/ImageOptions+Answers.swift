extension ImageOptions.Draft {
  /// The options that decide how an image is sent.
  static let answers: Family = [
    (
      ["expires", "exp"],
      one(\.expires) { (arguments) throws(ServingError) in
        let moment = try arguments.int(0, 0...Int(Int64.max))
        return moment == 0 ? nil : moment
      }
    ),
    (
      ["filename", "fn"],
      { (draft, arguments) throws(ServingError) in
        try arguments.allow(2)
        guard let text = arguments.text(0) else { return draft.options.filename = nil }
        guard try arguments.bool(1) ?? false else { return draft.options.filename = text }
        guard let bytes = Base64URL.decode(text.utf8), let name = String(validating: bytes, as: UTF8.self),
          !name.isEmpty
        else { throw arguments.error("it is not Base64 for URLs") }
        draft.options.filename = name
      }
    ),
    (["return_attachment", "att"], one(\.isAttachment) { (arguments) throws(ServingError) in try arguments.bool(0) }),
    (["cachebuster", "cb"], one(\.cacheBuster) { arguments in arguments.text(0) }),
  ]
}
