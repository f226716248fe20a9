#if Server
  import Foundation
  import Nuke
  import NukeCodecs
  package import NukeServing

  /// Signs paths as a server with some configuration accepts them.
  package struct ConfiguredSigner: Sendable {
    private let signer: URLSigner
    private let rules: URLRules
    private let prefix: String
    private let subject: URLSigner.Subject

    /// - Parameter subject: what the paths request.
    /// - Throws: ``ConfigurationError`` if the configuration has no keys.
    package init(
      _ configuration: ImageServer.Configuration, for subject: URLSigner.Subject = .image
    ) throws(ConfigurationError) {
      let isPurge = subject == .purge
      guard let signer = isPurge ? configuration.purgeSigner : configuration.signer else {
        let (keys, salts) = isPurge ? ("NUKE_PURGE_KEYS", "NUKE_PURGE_SALTS") : ("NUKE_KEYS", "NUKE_SALTS")
        throw ConfigurationError(
          isPurge ? "purge-keys" : "keys", "there are none: set \(keys) and \(salts), or use a configuration file")
      }
      self.signer = signer
      self.subject = subject
      rules = try configuration.urlRules
      prefix = configuration.pathPrefix
    }

    /// Returns the signed path after an address, with the prefix of the server.
    ///
    /// - Parameters:
    ///   - text: the path after the signature, such as `/rs:fit:300/plain/https://example.com/a.jpg`, or only the URL of
    ///     the source.
    ///   - base: the address, such as `https://images.example.com`. It may end with the prefix, which is then not repeated.
    ///   - encrypts: `true` to encrypt the source, if the configuration has a key.
    ///   - warn: receives a sentence about a format that this build cannot write. The server may be another build.
    /// - Throws: ``ServingError`` for a path that the server would reject.
    package func sign(
      _ text: String, below base: String = "", encrypts: Bool = false, warn: (String) -> Void = { _ in }
    ) throws(ServingError) -> String {
      var url = try url(text)
      let options = try rules.options(of: url, now: 0)
      _ = try rules.source(of: url)
      if subject == .image, let format = options.format, !format.isWritable, !options.sendsSource(of: format) {
        warn("This build cannot write \(format.displayName). A server of the same build responds with 422.")
      }
      if encrypts, let cipher = rules.cipher { url = url.encrypted(by: cipher) }
      var base = base.hasSuffix("/") ? String(base.dropLast()) : base
      if base.hasSuffix(prefix) { base.removeLast(prefix.count) }
      return base + prefix + subject.pathPrefix + signer.sign(url, for: subject).path
    }

    /// `true` if sources can be encrypted.
    package var canEncrypt: Bool { rules.cipher != nil }

    private func url(_ text: String) throws(ServingError) -> ImageURL {
      // A scheme, and not an option with arguments.
      if let scheme = text.range(of: "://"), text[..<scheme.lowerBound].allSatisfy({ $0.isLetter || $0.isNumber }) {
        return ImageURL(source: text)
      }
      // What is signed must be what clients send, and they escape what a URL cannot contain.
      let path = String(decoding: EscapedComponent.path.escaped(text.utf8), as: UTF8.self)
      return try rules.url(path: "/unsigned" + (path.hasPrefix("/") ? "" : "/") + path)
    }
  }

  extension ImageOptions {
    /// `true` if a source in the format may be sent unchanged, or text in place of an image, so that nothing is written.
    fileprivate func sendsSource(of format: ImageFormat) -> Bool {
      isRaw || skippedFormats.contains(format) || placeholder != nil
    }
  }
#endif
