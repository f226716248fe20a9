#if Server
  import Foundation
  import Hummingbird
  import Nuke

  /// A service for the avatars of users:
  ///
  ///     swift run --traits Server Avatars 8080 avatars
  ///     curl -T me.jpg http://127.0.0.1:8080/avatars/alice
  ///     curl -o alice.webp 'http://127.0.0.1:8080/avatars/alice?size=96'
  @main struct Avatars {
    static let sizes = [32, 64, 96, 128, 256, 512]
    static let maximumUploadSize = 8 << 20

    static func main() async throws {
      let arguments = CommandLine.arguments.dropFirst()
      guard let port = Int(arguments.first ?? "8080"), let store = try? AvatarStore(arguments.dropFirst().first) else {
        print("usage: Avatars [PORT [FOLDER]]")
        exit(64)
      }
      let router = Router()
      router.put("avatars/:name") { request, context in
        let name = try userName(context)
        let body = try await request.body.collect(upTo: maximumUploadSize)
        guard try await store.replace(name, with: Data(body.readableBytesView)) else {
          throw HTTPError(.unsupportedMediaType, message: "The body is not an image, or has more than 40 megapixels.")
        }
        return HTTPResponse.Status.noContent
      }
      router.get("avatars/:name") { request, context in
        let name = try userName(context)
        let size = request.uri.queryParameters["size"].map { Int($0) } ?? 128
        guard let size, sizes.contains(size) else {
          throw HTTPError(.badRequest, message: "The size must be one of \(sizes).")
        }
        guard let version = store.version(of: name) else { throw HTTPError(.notFound) }
        let entityTag = "\"\(version)-\(size)\""
        // A client may display its copy for a minute, and must validate it after that.
        var fields: HTTPFields = [.cacheControl: "public, max-age=60", .eTag: entityTag]
        guard request.headers[.ifNoneMatch] != entityTag else { return Response(status: .notModified, headers: fields) }
        fields[.contentType] = "image/webp"
        let data = try await store.thumbnail(of: name, version: version, size: size)
        return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
      }
      let application = Application(
        router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
        onServerRunning: { channel in report("Listening on port \(channel.localAddress?.port ?? port)") })
      try await application.runService()
    }

    /// Writes without buffering, also to a file or a pipe.
    private static func report(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    /// The name from the path. It becomes the name of a file, so only a few characters are allowed.
    private static func userName(_ context: some RequestContext) throws -> String {
      let name = try context.parameters.require("name")
      guard name.wholeMatch(of: /[a-z0-9_-]{1,32}/) != nil else {
        throw HTTPError(.badRequest, message: "A name has 1 to 32 of the characters a-z, 0-9, _ and -.")
      }
      return name
    }
  }

  /// The avatars of users, as JPEG files of 512 x 512 pixels in a folder.
  struct AvatarStore {
    private let folder: URL
    private let pipeline: ImagePipeline

    init(_ path: String?) throws {
      folder = URL(fileURLWithPath: path ?? "avatars", isDirectory: true)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      var configuration = ImagePipeline.Configuration.server
      configuration.codecLimits.maximumPixelCount = 40_000_000
      pipeline = ImagePipeline(configuration: configuration)
    }

    private func file(of name: String) -> URL { folder.appendingPathComponent(name + ".jpg") }

    /// Changes with each upload; `nil` if there is none.
    func version(of name: String) -> String? {
      guard let file = try? FileManager.default.attributesOfItem(atPath: file(of: name).path),
        let date = file[.modificationDate] as? Date, let size = file[.size] as? Int
      else { return nil }
      return "\(Int(date.timeIntervalSince1970 * 1e6))-\(size)"
    }

    /// Stores an avatar, cut to a square and without the metadata of the upload. Returns `false` if it cannot be read.
    func replace(_ name: String, with upload: Data) async throws -> Bool {
      let square = ImageProcessors.Resize(
        size: CGSize(width: 512, height: 512), unit: .pixels, crop: true, upscale: true)
      let request = ImageRequest(
        id: UUID().uuidString, data: { upload }, processors: [square], options: .disableMemoryCache)
      guard let data = try? await pipeline.image(for: request).jpegData(compressionQuality: 0.9) else { return false }
      try data.write(to: file(of: name), options: .atomic)
      return true
    }

    /// Returns a WebP image. Concurrent requests for the same image share the work.
    func thumbnail(of name: String, version: String, size: Int) async throws -> Data {
      let file = file(of: name)
      // The version is in the identifier, so that an upload replaces what is in the memory cache.
      let request = ImageRequest(
        id: "\(name)/\(version)", data: { try Data(contentsOf: file) },
        processors: [.resize(size: CGSize(width: size, height: size), unit: .pixels, crop: true)])
      let image = try await pipeline.image(for: request)
      guard let data = ImageEncoders.ImageIO(type: .webp).encode(image) else { throw HTTPError(.internalServerError) }
      return data
    }
  }
#else
  @main struct Avatars {
    static func main() { print("Avatars: built without a server; say `swift run --traits Server Avatars`") }
  }
#endif
