#if Server
  import Foundation
  import Hummingbird
  import Nuke
  import NukeCodecs

  /// The lower bounds of an image server's cost.
  ///
  ///     ServingFloors route PORT BYTES            a route of Hummingbird's that has the bytes at hand
  ///     ServingFloors library FILE FORMAT COUNT AT-ONCE images made without HTTP, so many at a time and each of
  ///     another size: prints milliseconds of processor time of one
  @main
  enum Main {
    static func main() async throws {
      let arguments = CommandLine.arguments.dropFirst()
      switch (arguments.first, arguments.count) {
      case ("route", 3): try await serve(port: Int(arguments[2])!, count: Int(arguments[3])!)
      case ("library", 5):
        try await make(
          arguments[2], ImageFormat(rawValue: arguments[3])!, count: Int(arguments[4])!, atOnce: Int(arguments[5])!)
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

    static func make(_ file: String, _ format: ImageFormat, count: Int, atOnce: Int) async throws {
      let writer = try ImageWriters.writer(for: format)
      // A pipeline for each image, because one pipeline would decode the file once for all concurrent requests.
      let pipelines = (0..<atOnce).map { _ in
        var configuration = ImagePipeline.Configuration.server
        configuration.isLocalResourcesSupportEnabled = true
        configuration.imageCache = nil
        return ImagePipeline(configuration: configuration)
      }
      @Sendable func one(_ number: Int, _ pipeline: ImagePipeline) async throws {
        let size = CGSize(width: 310 + number % 20, height: 230 + number / 20 % 20)
        let resize = ImageProcessors.Resize(size: size, unit: .pixels, crop: true)
        let image = try await pipeline.image(
          for: ImageRequest(url: URL(fileURLWithPath: file), processors: [resize]))
        _ = try writer.encode(image)
      }
      @Sendable func makeAll(_ count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for (first, pipeline) in pipelines.enumerated() {
            group.addTask {
              for number in stride(from: first, to: count, by: atOnce) { try await one(number, pipeline) }
            }
          }
          try await group.waitForAll()
        }
      }
      try await makeAll(5)
      let start = clock()
      try await makeAll(count)
      print(Double(clock() - start) / Double(CLOCKS_PER_SEC) / Double(count) * 1000)
    }
  }
#endif
