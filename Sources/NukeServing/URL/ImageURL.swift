import NukeCodecs

/// The parsed path of an image URL: a signature, processing options, and a source in one of three forms.
///
/// ```
/// /{signature}/{option}/{option}/plain/{source}@{extension}
/// /{signature}/{option}/{option}/{source in Base64}.{extension}
/// /{signature}/{option}/{option}/enc/{encrypted source in Base64}.{extension}
/// ```
///
/// The grammar is imgproxy's, so its clients for many languages work unchanged. An option is a name and its arguments,
/// separated by colons. The extension is optional. In a plain source, `@`, `%` and `?` must be escaped. If a server
/// allows only presets, their names, separated by colons, replace the options.
public struct ImageURL: Sendable, Hashable {
  /// The signature; "unsafe" or "insecure" if the URL is not signed.
  public var signature: String
  public var options: [ImageOption]
  /// The URL of the source, not validated yet; if ``isEncrypted`` is `true`, the encrypted source in URL-safe Base64.
  public var source: String
  /// A Boolean value that indicates whether ``source`` is encrypted. It is decrypted after the signature is verified, by
  /// ``URLRules/source(of:)``.
  public private(set) var isEncrypted = false
  /// The format's name after the source, such as `webp`; `nil` if there is none.
  public var fileExtension: String?
  /// The signed part of the path: everything after the signature, as it was sent.
  public let signedPath: String

  /// The maximum length of a path, in bytes.
  public static let maximumLength = 8192
  /// The maximum number of options in one URL.
  static let maximumOptionCount = 64

  /// Parses the path of a request.
  ///
  /// - Parameters:
  ///   - path: the path, percent-encoded and without a query.
  ///   - hasOnlyPresets: `true` if the path has names of presets in place of options. The result has the option `preset`.
  ///   - hasFilenames: `true` to ignore the part after the last slash of a source in Base64.
  /// - Throws: ``ServingError/malformedURL(_:)``.
  public init(path: String, hasOnlyPresets: Bool = false, hasFilenames: Bool = false) throws(ServingError) {
    let bytes = path.utf8
    guard bytes.count <= Self.maximumLength else {
      throw .malformedURL("it is longer than \(Self.maximumLength) bytes")
    }
    guard bytes.first == UInt8(ascii: "/") else { throw .malformedURL("it does not begin with a slash") }
    let start = bytes.index(after: bytes.startIndex)
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "/")), end > start else {
      throw .malformedURL("there is nothing after the signature")
    }
    signature = String(path[start..<end])
    let signed = Self.withSlashes(signed: path[end...])
    signedPath = signed
    let parts =
      try hasOnlyPresets ? Self.presetsAndSource(of: signed.dropFirst()) : Self.parts(of: signed.dropFirst())
    options = parts.options
    switch parts.source {
    case .plain(let text): (source, fileExtension) = try Self.source(plain: text)
    case .encrypted(let text):
      let (bytes, ending) = try Self.bytes(encoded: text, hasFilename: hasFilenames)
      guard let bytes else { throw .malformedURL("the source after /enc/ is not in Base64 for URLs") }
      (source, fileExtension, isEncrypted) = (Base64URL.encode(bytes), ending, true)
    case .encoded(let text):
      do throws(ServingError) {
        (source, fileExtension) = try Self.source(encoded: text, hasFilename: hasFilenames)
      } catch {
        // What looks like a source in Base64 may be a mistake in the options, such as the bare name of a preset.
        guard !hasOnlyPresets, let segment = Self.segmentBeforePlain(text) else { throw error }
        throw .malformedURL(
          "\"\(segment.prefix(40))\" is not an option, because it has no colon; presets are written as preset:name")
      }
    }
  }

  /// Returns the first segment of a text that contains `/plain/`; `nil` if there is no such segment.
  private static func segmentBeforePlain(_ text: Substring.UTF8View) -> String? {
    guard Substring(text).contains("/plain/") else { return nil }
    return PercentEncoding.decode(text.prefix { $0 != UInt8(ascii: "/") })
  }

  /// The part of a path that contains the source.
  private enum SourcePart {
    case plain(Substring.UTF8View)
    case encoded(Substring.UTF8View)
    case encrypted(Substring.UTF8View)

    /// Creates a source with `/plain/` or `/enc/`; `nil` for other segments.
    init?(segment: Substring.UTF8View, _ rest: Substring.UTF8View) {
      if segment.elementsEqual("plain".utf8) {
        self = .plain(rest)
      } else if segment.elementsEqual("enc".utf8) {
        self = .encrypted(rest)
      } else {
        return nil
      }
    }
  }

  /// Splits the path after the signature and its slash, if it has names of presets in place of options.
  private static func presetsAndSource(
    of path: Substring
  ) throws(ServingError) -> (options: [ImageOption], source: SourcePart) {
    let bytes = path.utf8
    let segment = bytes.prefix { $0 != UInt8(ascii: "/") }
    // The names may be missing.
    if segment.endIndex == bytes.endIndex { return try parts(of: path) }
    let rest = bytes[bytes.index(after: segment.endIndex)...]
    if let source = SourcePart(segment: segment, rest) { return ([], source) }
    var names: [String] = []
    for part in segment.split(separator: UInt8(ascii: ":")) {
      guard let name = PercentEncoding.decode(part) else {
        throw .malformedURL("the name of a preset contains an invalid escape or character")
      }
      names.append(name)
    }
    let options = names.isEmpty ? [] : [ImageOption(name: "preset", arguments: names)]
    let second = rest.prefix { $0 != UInt8(ascii: "/") }
    guard second.endIndex < rest.endIndex else { return (options, .encoded(rest)) }
    let source = SourcePart(segment: second, rest[rest.index(after: second.endIndex)...])
    return (options, source ?? .encoded(rest))
  }

  /// Splits the path after the signature and its slash.
  private static func parts(
    of path: Substring
  ) throws(ServingError) -> (options: [ImageOption], source: SourcePart) {
    var options: [ImageOption] = []
    var rest = path.utf8
    while true {
      let segment = rest.prefix { $0 != UInt8(ascii: "/") }
      let isLast = segment.endIndex == rest.endIndex
      if !isLast, let source = SourcePart(segment: segment, rest[rest.index(after: segment.endIndex)...]) {
        return (options, source)
      }
      // Clients write an empty segment if they have no options.
      if !segment.isEmpty || isLast {
        guard let option = try ImageOption(segment: segment) else { return (options, .encoded(rest)) }
        options.append(option)
        guard options.count <= maximumOptionCount else {
          throw .malformedURL("it has more than \(maximumOptionCount) options")
        }
      }
      guard !isLast else { return (options, .encoded(rest.suffix(0))) }
      rest = rest[rest.index(after: segment.endIndex)...]
    }
  }

  private static func source(plain text: Substring.UTF8View) throws(ServingError) -> (String, String?) {
    let parts = text.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count <= 2 else { throw .malformedURL("an @ within the source has to be written as %40") }
    guard let source = PercentEncoding.decode(parts[0]), !source.isEmpty else {
      throw .malformedURL("the source is empty, or contains an invalid escape or character")
    }
    return (source, try fileExtension(parts.dropFirst().first))
  }

  private static func source(
    encoded text: Substring.UTF8View, hasFilename: Bool
  ) throws(ServingError) -> (String, String?) {
    let (bytes, ending) = try bytes(encoded: text, hasFilename: hasFilename)
    guard let source = bytes.flatMap({ String(validating: $0, as: UTF8.self) }) else {
      throw .malformedURL("the source is neither preceded by /plain/ nor in Base64 for URLs")
    }
    guard !hasControlCharacters(source) else { throw .malformedURL("the source contains a control character") }
    return (source, ending)
  }

  static func hasControlCharacters(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  }

  /// Returns the bytes of a text in Base64, and the extension after it. The bytes are `nil` for invalid Base64.
  private static func bytes(
    encoded text: Substring.UTF8View, hasFilename: Bool
  ) throws(ServingError) -> (bytes: [UInt8]?, fileExtension: String?) {
    var text = text
    if hasFilename, let slash = text.lastIndex(of: UInt8(ascii: "/")) { text = text[..<slash] }
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 2 else { throw .malformedURL("the source has more than one extension") }
    guard !parts[0].isEmpty else { throw .malformedURL("there is no source after the options") }
    // The Base64 text may contain slashes anywhere.
    let bytes = Base64URL.decode(parts[0].filter { $0 != UInt8(ascii: "/") }).flatMap { $0.isEmpty ? nil : $0 }
    return (bytes, bytes == nil ? nil : try fileExtension(parts.dropFirst().first))
  }

  private static func fileExtension(_ text: Substring.UTF8View?) throws(ServingError) -> String? {
    guard let text, !text.isEmpty else { return nil }
    guard text.count <= 8, text.allSatisfy(\.isLetterOrDigit) else {
      throw .malformedURL("the extension after the source is invalid")
    }
    return String(text)
  }

  /// Restores double slashes that a proxy has merged into one. The signed path and the source contain all of them.
  private static func withSlashes(signed path: Substring) -> String {
    guard let start = path.firstRange(of: "/plain/")?.upperBound else { return String(path) }
    let source = path[start...]
    let schemes = [
      ("http", "//"), ("https", "//"), ("s3", "//"), ("gs", "//"), ("abs", "//"), ("local", "///"),
    ]
    for (scheme, slashes) in schemes
    where source.hasPrefix(scheme + ":/") {
      let rest = source.dropFirst(scheme.utf8.count + 2)
      if !rest.hasPrefix("/") { return path[..<start] + scheme + ":" + slashes + rest }
    }
    return String(path)
  }
}

extension ImageURL {
  /// Creates a URL to sign and send. A `URLSigner` signs its ``signedPath``.
  ///
  /// - Parameters:
  ///   - source: the URL of the source.
  ///   - options: the options in the order in which they are applied.
  ///   - fileExtension: the format's name; `nil` for none.
  ///   - signature: a placeholder for the signature until the URL is signed.
  ///   - isEncoded: `true` to write the source in Base64; `false` to write it readably.
  public init(
    source: String, options: [ImageOption] = [], fileExtension: String? = nil, signature: String = "unsafe",
    isEncoded: Bool = false
  ) {
    let ending = fileExtension.map { PercentEncoding.encode($0) } ?? ""
    let file =
      isEncoded
      ? Base64URL.encode(source.utf8) + (ending.isEmpty ? "" : "." + ending)
      : "plain/" + Self.plain(source) + (ending.isEmpty ? "" : "@" + ending)
    self.init(
      source: source, options: options, fileExtension: fileExtension, signature: signature, isEncrypted: false,
      file: file)
  }

  /// - Parameter file: the end of the path, with the source and the extension.
  private init(
    source: String, options: [ImageOption], fileExtension: String?, signature: String, isEncrypted: Bool, file: String
  ) {
    self.signature = signature
    self.options = options
    self.source = source
    self.fileExtension = fileExtension
    self.isEncrypted = isEncrypted
    signedPath = "/" + (options.map(\.description) + [file]).joined(separator: "/")
  }

  #if Server
    /// Returns a URL with the source encrypted, to sign and send.
    public func encrypted(by cipher: SourceCipher) -> ImageURL {
      guard !isEncrypted else { return self }
      let text = Base64URL.encode(cipher.encrypt(source))
      let ending = fileExtension.map { "." + PercentEncoding.encode($0) } ?? ""
      return ImageURL(
        source: text, options: options, fileExtension: fileExtension, signature: signature, isEncrypted: true,
        file: "enc/" + text + ending)
    }
  #endif

  /// Returns the percent-encoded source for a URL with `/plain/`.
  private static func plain(_ source: String) -> String {
    let text = PercentEncoding.encode(source, keeping: "-._~:/!$&'()*+,;=[]")
    // After `withSlashes`, a single slash would become a double slash, so it must be escaped.
    guard withSlashes(signed: "/plain/\(text)") != "/plain/\(text)", let slash = text.firstIndex(of: "/") else {
      return text
    }
    return text[..<slash] + "%2F" + text[text.index(after: slash)...]
  }

  /// The whole path, including the signature.
  public var path: String { "/" + signature + signedPath }
}

extension ImageURL {
  /// Returns the options of the URL, including the format given by the extension.
  ///
  /// - Parameters:
  ///   - presets: the server's presets.
  ///   - defaults: the values of options that neither the URL nor a preset sets.
  ///   - now: seconds since 1970.
  /// - Throws: ``ServingError/invalidOption(_:_:)``, and ``ServingError/expired``.
  public func imageOptions(
    presets: ImagePresets = ImagePresets(), defaults: ImageOptions = ImageOptions(), now: Int
  ) throws(ServingError) -> ImageOptions {
    var options = try ImageOptions(options, presets: presets, defaults: defaults)
    if let fileExtension {
      // The extension comes last, so it takes precedence.
      try options.setFormat(OptionArguments(name: "extension", values: [fileExtension]))
    }
    if let expires = options.expires, expires <= now { throw .expired }
    return options
  }
}
