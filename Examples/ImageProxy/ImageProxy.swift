#if Server
  import Foundation
  import Hummingbird
  import Nuke
  import NukeServer
  import NukeServing

  /// The image proxy of a chat: a bot signs the links that its users post, and clients load the images from the proxy.
  /// Third-party servers therefore see neither the addresses nor the number of the clients, and clients receive only
  /// images of a limited size.
  ///
  ///     export PROXY_KEY=$(openssl rand -hex 32) PROXY_SALT=$(openssl rand -hex 32)
  ///     swift run --traits Server ImageProxy 8080
  ///     swift run --traits Server ImageProxy sign https://example.com/cat.jpg 400
  @main struct ImageProxy {
    static func main() async throws {
      let environment = ProcessInfo.processInfo.environment
      guard
        let pair = URLSigner.Pair(hexKey: environment["PROXY_KEY"] ?? "", hexSalt: environment["PROXY_SALT"] ?? "")
      else { fail("PROXY_KEY and PROXY_SALT must be hexadecimal digits.") }
      let signer = URLSigner([pair])
      let arguments = Array(CommandLine.arguments.dropFirst())
      if arguments.first == "sign" {
        guard arguments.count == 3, let size = Int(arguments[2]) else { fail("usage: ImageProxy sign URL SIZE") }
        print(link(to: arguments[1], size: size, signer))
      } else {
        guard let port = Int(arguments.first ?? "8080") else { fail("usage: ImageProxy [PORT]") }
        // Addresses that are not public, for trying the proxy on one machine.
        let privateAddresses = environment["PROXY_ALLOWED_ADDRESSES"]?.split(separator: ",") ?? []
        try await serve(port: port, signer, allowed: privateAddresses.compactMap { AddressBlock(String($0)) })
      }
    }

    /// The path of an image that fits into a square of `size` pixels. It is valid for a day.
    static func link(to source: String, size: Int, _ signer: URLSigner) -> String {
      let tomorrow = Int(Date().timeIntervalSince1970) + 86_400
      let url = ImageURL(
        source: source,
        options: [
          ImageOption("resize", "fit", "\(size)", "\(size)"), ImageOption("expires", "\(tomorrow)"),
        ], isEncoded: true)
      return signer.sign(url).path
    }

    static func serve(port: Int, _ signer: URLSigner, allowed: [AddressBlock]) async throws {
      var web = DataLoader.defaultConfiguration
      web.urlCache = nil
      web.isLocalResourcesSupportEnabled = false
      // Links to the machines of the proxy's own network are refused, also if a public server redirects to them.
      web.addressPolicy = AddressPolicy(isPublicOnly: true, allowed: allowed)
      let loader = DataLoader(configuration: web)
      let sources = SourceLoader(["http": loader, "https": loader])

      var configuration = ImagePipeline.Configuration.server
      configuration.dataLoader = sources
      configuration.imageCache = nil
      configuration.maximumResponseDataSize = 10 << 20
      configuration.codecLimits = CodecLimits(maximumPixelCount: 30_000_000, maximumFrameCount: 300)

      var limits = ServiceConfiguration()
      limits.deadline = 15
      limits.maximumLoading = 64
      limits.maximumWaiting = 32
      limits.memoryLimit = 128 << 20
      let service = RenditionService(pipeline: ImagePipeline(configuration: configuration), configuration: limits)

      let router = Router()
      router.addImages(ImageRoutes(service: service, verifier: URLVerifier(signer: signer)))
      let application = Application(
        router: router, server: .images(), configuration: .init(address: .hostname("127.0.0.1", port: port)),
        onServerRunning: { channel in report("Listening on port \(channel.localAddress?.port ?? port)") })
      try await application.runService()
      await service.shutdown(gracePeriod: 5)
    }

    /// Writes without buffering, also to a file or a pipe.
    private static func report(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private static func fail(_ message: String) -> Never {
      FileHandle.standardError.write(Data("ImageProxy: \(message)\n".utf8))
      exit(64)
    }
  }
#else
  @main struct ImageProxy {
    static func main() {
      print("ImageProxy: built without a server; say `swift run --traits Server ImageProxy`")
    }
  }
#endif
