#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// The options for requests to servers.
  struct RequestOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        """
        Send this header field, such as 'Accept-Language: de', to all servers. Repeat the option for several. After a \
        redirect to another server, only Accept, Accept-Language, Referer and User-Agent are sent.
        """, valueName: "name:value"))
    var header: [String] = []

    @Option(
      help: ArgumentHelp("Send this User-Agent, or none if it is empty. (default: nuke/VERSION)", valueName: "name"))
    var userAgent: String?

    @Option(help: ArgumentHelp("Send this URL as Referer, which some servers require.", valueName: "URL"))
    var referer: String?

    @Option(
      help: ArgumentHelp(
        """
        Trust the certificate authorities in this PEM file instead of the system's. (default: the file in the environment \
        variable CURL_CA_BUNDLE or SSL_CERT_FILE)
        """, valueName: "file"), completion: .file())
    var cacert: String?

    @Option(
      help: ArgumentHelp(
        """
        Retry this often if a server cannot be reached, breaks a connection, or answers with status 408, 429 or 5xx. \
        The delay is random and grows, and is at least that of Retry-After. If that is more than 30 seconds, the image \
        fails. (default: 0; 3 in 'nuke prefetch')
        """, valueName: "count"))
    var retries: Int?

    func validate() throws {
      try check("--retries", retries, in: 0...100)
      if cacert == "" { throw ValidationError("--cacert needs a file.") }
      _ = try fields
    }

    /// All header fields in addition to those of the loader.
    ///
    /// - Throws: `ValidationError` for a field that cannot be sent. It does not contain the value, which may be secret.
    var fields: [HeaderField] {
      get throws {
        var fields = try header.map { try HeaderField(parsing: $0, of: "--header") }
        // An empty name is the configuration's, which sends none.
        for (name, option, value) in [("User-Agent", "--user-agent", userAgent), ("Referer", "--referer", referer)] {
          if let value, !value.isEmpty { fields.append(try HeaderField(name, value, of: option)) }
        }
        var known: Set<String> = []
        for field in fields where !known.insert(field.key).inserted {
          throw ValidationError("The header field \(field.name) is given twice: write all of its value once.")
        }
        return fields
      }
    }

    /// The file with the certificate authorities; `nil` for those of the system.
    ///
    /// - Throws: if the file of `--cacert` cannot be read.
    var authorities: String? {
      get throws(CommandFailure) {
        guard let cacert else {
          let environment = ProcessInfo.processInfo.environment
          return ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        guard !cacert.hasRawBytes else {
          throw CommandFailure("cannot read the certificates \(cacert): the name of the file must be UTF-8")
        }
        do {
          close(try Descriptor.open(cacert, "read the certificates"))
        } catch {
          throw CommandFailure(error.description)
        }
        return cacert
      }
    }
  }

  /// A header field as it is typed: `Accept-Language: de`.
  struct HeaderField: Sendable {
    /// Fields that the loader sends as necessary: for the connection, for validation and to resume downloads.
    private static let reserved: Set<String> = [
      "connection", "content-length", "if-match", "if-modified-since", "if-none-match", "if-range",
      "if-unmodified-since", "proxy-authorization", "range", "transfer-encoding", "upgrade",
    ]
    /// Fields that are the same for all servers, as in a browser.
    private static let common: Set<String> = ["accept", "accept-language", "referer", "user-agent"]

    let name: String
    let value: String

    /// The name in lower case.
    var key: String { name.lowercased() }

    /// `true` if another server must not get it after a redirect.
    var isPrivate: Bool { !Self.common.contains(key) }

    init(parsing text: String, of option: String) throws {
      guard let colon = text.firstIndex(of: ":") else {
        throw ValidationError("A \(option) has no colon: write '\(option) \"Name: value\"'.")
      }
      let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      try self.init(String(text[..<colon]), String(value), of: option)
    }

    init(_ name: String, _ value: String, of option: String) throws {
      (self.name, self.value) = (name, value)
      if Self.reserved.contains(key) {
        let hint = key == "proxy-authorization" ? "write the password into the URL of the proxy" : "remove it"
        throw ValidationError("\(option) cannot set \(name): \(hint).")
      }
      if value.hasRawBytes {
        throw ValidationError("\(option): the value of the header field \(name) is not UTF-8: escape other bytes.")
      }
      do {
        try RequestFields.check(name, value)
      } catch .malformedRequest(let reason) {
        throw ValidationError("\(option): \(reason): write '\(option) \"Name: value\"' on one line.")
      }
    }
  }
#endif
