public import Foundation
import Nuke

/// The rules by which a server reads the URLs of requests.
public struct URLRules: Sendable {
  /// The presets that URLs can refer to.
  public var presets = ImagePresets()
  /// The values of options that neither the URL nor a preset sets.
  public var defaults = ImageOptions()
  /// A Boolean value that indicates whether URLs contain the names of presets in place of options:
  /// `/{signature}/{preset}:{preset}/plain/{source}`.
  public var hasOnlyPresets = false
  /// A Boolean value that indicates whether the last path component is ignored if it follows a source in Base64. Such
  /// URLs end in a file name for search engines.
  public var hasFilenames = false
  /// The options that URLs may contain, by any of their names; empty for all. Presets may contain all options.
  public var allowedOptions: Set<String> = []
  /// The URL of the watermark that is drawn if a URL names none; `nil` for that of the renderer.
  public var watermark: URL?
  /// The rules for sources; `nil` if the service checks them, and every absolute URL is passed to it.
  public var sources: SourceRules?
  #if Server
    /// Decrypts encrypted sources; `nil` if URLs cannot contain them.
    public var cipher: SourceCipher?
  #endif

  public init() {}

  /// Parses the path of a request. Options and source are not validated yet.
  ///
  /// - Throws: ``ServingError/malformedURL(_:)``.
  public func url(path: String) throws(ServingError) -> ImageURL {
    try ImageURL(path: path, hasOnlyPresets: hasOnlyPresets, hasFilenames: hasFilenames)
  }

  /// Returns the options of a URL, including those of its presets and the format given by its extension.
  ///
  /// - Parameters:
  ///   - url: a URL that was parsed by the same rules.
  ///   - now: seconds since 1970.
  /// - Throws: ``ServingError/invalidOption(_:_:)``, ``ServingError/expired``, and
  ///   ``ServingError/sourceNotAllowed(_:)`` for a watermark or a fallback image that ``sources`` rejects.
  public func options(of url: ImageURL, now: Int) throws(ServingError) -> ImageOptions {
    if !allowedOptions.isEmpty, !hasOnlyPresets {
      let allowed = Set(allowedOptions.map { ImageOption($0).longName ?? $0 })
      for option in url.options {
        guard let name = option.longName, !allowed.contains(name) else { continue }
        throw .invalidOption(option.name, "the server does not allow it in URLs")
      }
    }
    var options = try url.imageOptions(presets: presets, defaults: defaults, now: now)
    if options.watermarkText != nil {
      options.watermarkSource = nil
    } else if let text = options.watermarkSource {
      options.watermarkSource = try checked(text, of: "watermark_url")
    } else if options.watermark != nil {
      options.watermarkSource = watermark?.absoluteString
    }
    options.fallbackSource = try options.fallbackSource.map { (text) throws(ServingError) in
      try checked(text, of: "fallback_image_url")
    }
    return options
  }

  /// Returns the URL that an option contains in normal form. It is absolute: the base and the replacements are for sources
  /// only.
  private func checked(_ text: String, of option: String) throws(ServingError) -> String {
    do throws(ServingError) {
      guard let sources else {
        return try SourceAddress(source: text, separator: SourceRules().querySeparator).text
      }
      return try sources.absoluteSource(text).absoluteString
    } catch {
      if case .malformedURL(let reason) = error { throw .invalidOption(option, reason) }
      throw error
    }
  }

  /// Returns the source of a URL, decrypted, and in the normal form of ``sources``. The signature of the URL must have
  /// been verified before.
  ///
  /// - Throws: ``ServingError/malformedURL(_:)``, and ``ServingError/sourceNotAllowed(_:)``. For an encrypted source, all
  ///   errors are equal, so that no client can find out the text by trying out changes of it (padding oracle attack).
  public func source(of url: ImageURL) throws(ServingError) -> URL {
    guard url.isEncrypted else { return try source(url.source) }
    do throws(ServingError) {
      guard let text = decrypted(url.source), !ImageURL.hasControlCharacters(text) else {
        throw ServingError.malformedURL("")
      }
      return try source(text)
    } catch {
      throw .malformedURL("the encrypted source is not that of an allowed source, or was encrypted with another key")
    }
  }

  private func source(_ text: String) throws(ServingError) -> URL {
    if let sources { return try sources.source(text) }
    var text = text
    if let scheme = SourceAddress.scheme(of: text), SourceAddress.isOfNames(scheme) {
      text = try SourceAddress(source: text, separator: SourceRules().querySeparator).text
    }
    guard let source = URL(escaping: text), source.scheme != nil else {
      throw .malformedURL("the source is not an absolute URL")
    }
    return source
  }

  private func decrypted(_ text: String) -> String? {
    #if Server
      return Base64URL.decode(text.utf8).flatMap { bytes in cipher?.decrypt(bytes) }
    #else
      return nil
    #endif
  }
}
