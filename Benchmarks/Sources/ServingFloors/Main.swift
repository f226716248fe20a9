#if Server
  import Foundation
  import Hummingbird
  import Nuke
  import NukeCodecs

  /// What an image server cannot be cheaper than.
  ///
  ///     ServingFloors route PORT BYTES            a route of Hummingbird's that has the bytes at hand
  ///     ServingFloors library FILE FORMAT COUNT   pictures made without HTTP: prints milliseconds of processor time of one
  @main
  enum Main {
    static func main() async throws {
      let arguments = CommandLine.arguments.dropFirst()
      switch (arguments.first, arguments.count) {
      case ("route", 3): try await serve(port: Int(arguments[2])!, count: Int(arguments[3])!)
      case ("library", 4): try await make(arguments[2], ImageFormat(rawValue: arguments[3])!, Int(arguments[4])!)
      default: exit(2)
      }
    }

    static func serve(port: Int, count: Int) async throws {
      let bytes = ByteBuffer(repeating: 7, count: count)
      let router = Router()
      router.get("**") { _, _ in
        Response(status: .ok, headers: [.contentType: "image/jpeg"], body: .init(byteBuffer: bytes))
      }
      try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: port))).run()
    }

    static func make(_ file: String, _ format: ImageFormat, _ count: Int) async throws {
      var configuration = ImagePipeline.Configuration.server
      configuration.isLocalResourcesSupportEnabled = true
      configuration.imageCache = nil
      let pipeline = ImagePipeline(configuration: configuration)
      let writer = try ImageWriters.writer(for: format)
      let resize = ImageProcessors.Resize(size: CGSize(width: 320, height: 240), unit: .pixels, crop: true)
      func one() async throws -> Int {
        let image = try await pipeline.image(
          for: ImageRequest(url: URL(fileURLWithPath: file), processors: [resize]))
        return try writer.encode(image).count
      }
      for _ in 0..<5 { _ = try await one() }
      let start = clock()
      for _ in 0..<count { _ = try await one() }
      print(Double(clock() - start) / Double(CLOCKS_PER_SEC) / Double(count) * 1000)
    }
  }
#endif
