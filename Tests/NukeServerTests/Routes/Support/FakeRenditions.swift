#if Server
  import Foundation
  import Hummingbird
  import Logging
  import NukeServer
  import NukeTesting

  /// Gives what it is told to, and writes down what it is asked for.
  struct FakeRenditions: RenditionMaking {
    let log = CallLog()
    /// Holds every request back.
    var gate = Gate(isOpen: true)
    var make: @Sendable (RenditionRequest) throws(ServingError) -> Rendition = { _ in FakeRenditions.image }

    static let image = Rendition(
      data: Data("an image".utf8), contentType: "image/webp", entityTag: "\"abc\"", lastModified: 1_699_999_000)

    func rendition(for request: RenditionRequest) async throws(ServingError) -> Rendition {
      log.append("make \(request.source.absoluteString)")
      await gate.wait()
      if Task.isCancelled {
        log.append("cancelled")
        throw .cancelled
      }
      return try make(request)
    }
  }

  extension ImageRoutes {
    static let signer = URLSigner([.init(key: Array("key".utf8), salt: Array("salt".utf8))])
    static let now = 1_700_000_000

    /// Routes that answer signed URLs and "unsafe" ones.
    static func fake(
      _ renditions: FakeRenditions, allowsUnsigned: Bool = true, settings: AnswerSettings = AnswerSettings(),
      tellsFacts: Bool = true
    ) -> ImageRoutes {
      ImageRoutes(
        service: renditions, verifier: URLVerifier(signer: signer, allowsUnsigned: allowsUnsigned),
        settings: settings, tellsFacts: tellsFacts, now: { now })
    }

    /// A server of these routes alone.
    func application(
      at path: RouterPath = "", limits: ConnectionLimits? = ConnectionLimits()
    ) -> some ApplicationProtocol {
      let router = Router()
      router.addImages(self, at: path)
      var logger = Logger(label: "test")
      logger.logLevel = .critical
      return Application(
        router: router, server: limits.map { .images(limits: $0) } ?? .http1(),
        configuration: ApplicationConfiguration(serverName: nil), logger: logger)
    }
  }

  extension ImageURL {
    /// The path of an image, signed.
    static func signed(
      _ options: [ImageOption] = [], source: String = "https://example.com/cat.jpg", fileExtension: String? = nil
    ) -> String {
      ImageRoutes.signer.sign(ImageURL(source: source, options: options, fileExtension: fileExtension)).path
    }
  }
#endif
