#if Server
  import Foundation
  package import NukeServing

  /// Signs paths as a server with some configuration accepts them.
  package struct ConfiguredSigner: Sendable {
    private let signer: URLSigner
    private let rules: URLRules
    private let prefix: String

    /// - Throws: ``ConfigurationError`` if the configuration has no keys.
    package init(_ configuration: ImageServer.Configuration) throws(ConfigurationError) {
      guard let signer = configuration.signer else {
        throw ConfigurationError("keys", "there are none: set NUKE_KEYS and NUKE_SALTS, or give a configuration file")
      }
      self.signer = signer
      rules = try configuration.urlRules
      prefix = configuration.pathPrefix
    }

    /// Returns the signed path, with the prefix of the server.
    ///
    /// - Parameter text: the path after the signature, such as `/rs:fit:300/plain/https://example.com/a.jpg`, or only the
    ///   URL of the source.
    /// - Throws: ``ServingError`` for a path that the server would reject.
    package func sign(_ text: String, for subject: URLSigner.Subject = .image) throws(ServingError) -> String {
      let url = try url(text)
      _ = try rules.options(of: url, now: 0)
      _ = try rules.source(of: url)
      return prefix + subject.rawValue + signer.sign(url, for: subject).path
    }

    private func url(_ text: String) throws(ServingError) -> ImageURL {
      // A scheme, and not an option with arguments.
      if let scheme = text.range(of: "://"), text[..<scheme.lowerBound].allSatisfy({ $0.isLetter || $0.isNumber }) {
        return ImageURL(source: text)
      }
      return try rules.url(path: "/unsigned" + (text.hasPrefix("/") ? "" : "/") + text)
    }
  }
#endif
