#if Server
  import Foundation
  import Nuke
  import NukeCodecs
  import NukeHTTP
  package import NukeServing

  /// Signs paths as a server with some configuration accepts them.
  package struct ConfiguredSigner: Sendable {
    private let signer: URLSigner
    private let verifier: URLVerifier
    private let rules: URLRules
    private let addresses: AddressPolicy
    private let prefix: String
    private let subject: URLSigner.Subject
    /// `true` if the server answers such requests.
    private let isServed: Bool
    private let now: @Sendable () -> Int

    /// - Parameters:
    ///   - subject: what the paths request.
    ///   - now: returns the time in seconds since 1970.
    /// - Throws: ``ConfigurationError`` if the configuration has no keys.
    package init(
      _ configuration: ImageServer.Configuration, for subject: URLSigner.Subject = .image,
      now: @escaping @Sendable () -> Int = ImageRoutes.currentTime
    ) throws(ConfigurationError) {
      let isPurge = subject == .purge
      guard let signer = isPurge ? configuration.purgeSigner : configuration.signer else {
        let (keys, salts) = isPurge ? ("NUKE_PURGE_KEYS", "NUKE_PURGE_SALTS") : ("NUKE_KEYS", "NUKE_SALTS")
        throw ConfigurationError(
          isPurge ? "purge-keys" : "keys", "there are none: set \(keys) and \(salts), or use a configuration file")
      }
      self.signer = signer
      self.subject = subject
      self.now = now
      verifier = configuration.verifier
      var rules = try configuration.urlRules
      // A purge is sent at once, and the server has the last word. Its sources need not be set where it is sent from.
      if !isPurge { rules.sources?.schemes.subtract(configuration.schemesWithoutSources) }
      self.rules = rules
      addresses = isPurge ? .any : try configuration.addressPolicy
      prefix = configuration.pathPrefix
      isServed = subject != .info || configuration.servesInfo
    }

    /// Returns the signed path after an address, with the prefix of the server.
    ///
    /// - Parameters:
    ///   - text: the path after the signature, such as `/rs:fit:300/plain/https://example.com/a.jpg`, or only the URL of
    ///     the source.
    ///   - base: the address, such as `https://images.example.com`. It may end with the prefix, which is then not repeated.
    ///   - encrypts: `true` to encrypt the source, if the configuration has a key.
    ///   - warn: receives a sentence about what another server may do: one of another build, or with other settings.
    /// - Throws: ``ServingError`` for a path that the server would reject, as the server throws it. Names of hosts are not
    ///   resolved, and nothing is loaded.
    package func sign(
      _ text: String, below base: String = "", encrypts: Bool = false, warn: (String) -> Void = { _ in }
    ) throws(ServingError) -> String {
      var url = try url(text)
      if encrypts, let cipher = rules.cipher { url = url.encrypted(by: cipher) }
      let signed = signer.sign(url, for: subject)
      let path = subject.pathPrefix + signed.path
      let request = try ResolvedURL(path: path, for: subject, verifier, rules, now: now()).request
      try addresses.check(request.source)
      let options = request.options
      for text in [options.watermarkSource, options.fallbackSource] {
        if let source = text.flatMap(URL.init(string:)) { try addresses.check(source) }
      }
      if subject == .image, let format = options.format, !format.isWritable, !options.sendsSource(of: format) {
        warn("This build cannot write \(format.displayName). A server of the same build responds with 422.")
      }
      if !isServed { warn("A server with these settings responds with 403. Set info on the server to serve metadata.") }
      var base = base.hasSuffix("/") ? String(base.dropLast()) : base
      if Self.path(of: base).hasSuffix(prefix) { base.removeLast(prefix.count) }
      return base + prefix + path
    }

    /// Returns the path of an address, which begins at the first slash after its host. The slashes before a host, and the
    /// host, are no prefix: `https://images` does not end with `/images`.
    private static func path(of address: String) -> Substring {
      let start = address.range(of: "//")?.upperBound ?? address.startIndex
      return address[start...].drop { $0 != "/" }
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

  extension ImageServer.Configuration {
    /// The schemes for which a server with these settings has no loader. The store of an allowed scheme need not be set
    /// where URLs are signed.
    fileprivate var schemesWithoutSources: Set<String> {
      var schemes = Set(
        ["s3", "gs", "abs"].filter { scheme in
          !allowedSources.contains { $0.lowercased().hasPrefix(scheme + ":") }
        })
      if localRoots.isEmpty { schemes.insert("local") }
      return schemes
    }
  }

  extension AddressPolicy {
    /// Throws for a source whose host is an address that is not allowed, or the name of this machine. Other names are
    /// checked when the server resolves them.
    fileprivate func check(_ source: URL) throws(ServingError) {
      guard ["http", "https"].contains(source.scheme), let host = source.host?.trimmingCharacters(in: ["[", "]"]) else {
        return
      }
      let address = host == "localhost" ? "127.0.0.1" : host
      guard IPAddress(address) != nil, !allows(address) else { return }
      throw ServingError(loading: DataLoader.TransferError.addressNotAllowed(host: host, address: address))
    }
  }

  extension ImageOptions {
    /// `true` if a source in the format may be sent unchanged, or text in place of an image, so that nothing is written.
    fileprivate func sendsSource(of format: ImageFormat) -> Bool {
      isRaw || skippedFormats.contains(format) || placeholder != nil
    }
  }
#endif
