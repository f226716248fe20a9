#if Command && Server
  import ArgumentParser
  import Foundation
  import FoundationNetworking
  import Nuke
  import NukeServer
  import NukeServing

  /// `nuke purge`: removes images from image servers.
  struct PurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "purge", abstract: "Remove images from image servers and their caches.",
      discussion: """
        Removes the source of each image, and all sizes and formats that were made from it, so that the next request \
        loads it again. An argument is the URL of a source, or the path of an image after its signature. The keys are \
        those of the server for purges: from NUKE_PURGE_KEYS and NUKE_PURGE_SALTS, from its configuration file, or else \
        from /etc/nuke/nuke.env, the settings of the systemd unit.

        Servers that share Redis or a bucket learn of a purge from each other within 10 seconds, so one of them is \
        enough. Name each server that shares nothing. Caches of browsers and proxies are not affected.

        EXAMPLES
          nuke purge --to https://images.example.com https://example.com/photo.jpg
          nuke purge --to http://node1:8080 --to http://node2:8080 - < sources.txt

        The exit status is 0 if all were purged, 1 if some were not, and 2 for invalid usage.
        """)

    @Argument(
      help: ArgumentHelp(
        "URLs of sources, or paths after the signature; - for one per line on standard input.", valueName: "url"))
    var urls: [String]

    @Option(
      help: ArgumentHelp("Configuration file of the server. (default: that of NUKE_CONFIG)", valueName: "file"),
      completion: .file())
    var config: String?

    @Option(
      name: .customLong("to"),
      help: ArgumentHelp(
        """
        Address of a server; may be repeated. Its path-prefix is added unless the address ends with it. (default: this \
        machine, at the port of the configuration)
        """, valueName: "url"))
    var servers: [String] = []

    func run() async throws {
      let settings = try ServerConfiguration(file: config, needsKeys: false)
      let signer = try settings.signer(for: .purge)
      let addresses =
        try servers.isEmpty ? [Self.ownAddress(of: settings.configuration)] : servers.map { try Self.address($0) }
      let purging = PurgeSender()
      var hasFailed = false
      for url in urls.withLinesOfInput {
        for server in addresses {
          do {
            try await purging.send(signer.sign(url, below: server))
            print("\(server.onOneLine): purged \(url.onOneLine)")
          } catch {
            hasFailed = true
            let reason = (error as? ServingError)?.description ?? PurgeSender.reason(error)
            try? FileHandle.standardError.write(
              contentsOf: Data("Error: \(server.onOneLine): \(url.onOneLine): \(reason.onOneLine)\n".utf8))
          }
        }
      }
      if hasFailed { throw ExitCode.failure }
    }

    /// Returns an address without its last slash.
    private static func address(_ text: String) throws -> String {
      guard let url = URL(escaping: text), ["http", "https"].contains(url.scheme), url.host?.isEmpty == false else {
        throw ValidationError(
          "\(text.debugDescription) is not the address of a server, such as https://images.example.com.")
      }
      return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    private static func ownAddress(of configuration: ImageServer.Configuration) throws -> String {
      guard configuration.socket == nil, configuration.tlsCertificate == nil, configuration.port != 0 else {
        throw ValidationError("The settings of the server do not contain its address. Specify the address with --to.")
      }
      let host = HealthCheck.reachable(configuration.host)
      return "http://\(host.contains(":") ? "[\(host)]" : host):\(configuration.port)"
    }
  }

  /// Sends signed purges.
  private struct PurgeSender {
    private let loader: DataLoader

    init() {
      var configuration = DataLoader.defaultConfiguration
      configuration.urlCache = nil
      configuration.connectTimeout = 5
      configuration.resourceTimeout = 30
      loader = DataLoader(configuration: configuration)
    }

    /// - Parameter text: the signed URL.
    func send(_ text: String) async throws {
      guard let url = URL(escaping: text) else { throw CommandFailure("\(text.debugDescription) is not a URL") }
      var request = URLRequest(url: url)
      request.httpMethod = "DELETE"
      let failure = await withCheckedContinuation { (continuation: CheckedContinuation<(any Error)?, Never>) in
        _ = loader.loadData(with: request, didReceiveData: { _, _ in }) { continuation.resume(returning: $0) }
      }
      if let failure { throw failure }
    }

    /// Returns what happened, and what to do about it.
    static func reason(_ error: any Error) -> String {
      guard case DataLoader.Error.statusCodeUnacceptable(let status) = error else {
        return (error as? CommandFailure)?.description ?? LoadFailure(error).reason
      }
      return switch status {
      case 403:
        "the server rejects the signature (403). It needs the same purge-keys and purge-salts"
      case 404: "the server has no such image path (404). Check --to, the path-prefix, and whether the URL has expired"
      case 405:
        """
        the server does not accept DELETE (405). Set its purge-keys and purge-salts and restart it, or send it to the \
        nodes if a proxy refuses it
        """
      case 503:
        "it was purged only on this server (503), as the store that the servers share does not respond. Try again"
      default: LoadFailure(error).reason
      }
    }
  }
#endif
