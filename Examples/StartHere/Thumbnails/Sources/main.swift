import Foundation
import Hummingbird
import Nuke

let arguments = Array(CommandLine.arguments.dropFirst())
let folder = URL(fileURLWithPath: arguments.first ?? ".", isDirectory: true)
let port = arguments.count > 1 ? Int(arguments[1]) ?? 8080 : 8080
let pipeline = ImagePipeline(configuration: .server)
let widths = [160, 320, 640]

let router = Router()
router.get("thumbnails/:name") { request, context in
  // Names with a slash, or that begin with a dot, could lead out of the folder.
  let name = try context.parameters.require("name")
  guard name.wholeMatch(of: /[A-Za-z0-9_-]+\.[A-Za-z0-9]+/) != nil else { throw HTTPError(.badRequest) }
  guard let width = Int(request.uri.queryParameters["width"] ?? "320"), widths.contains(width) else {
    throw HTTPError(.badRequest, message: "The width must be one of \(widths).")
  }

  // This configuration refuses URLs of files, so that clients cannot name any. The closure reads the file instead.
  let file = folder.appendingPathComponent(name)
  let thumbnail = ImageRequest(
    id: name, data: { try Data(contentsOf: file) }, processors: [.resize(width: CGFloat(width), unit: .pixels)])
  guard let image = try? await pipeline.image(for: thumbnail) else { throw HTTPError(.notFound) }
  guard let data = ImageEncoders.ImageIO(type: .webp).encode(image) else { throw HTTPError(.internalServerError) }
  return Response(
    status: .ok, headers: [.contentType: "image/webp", .cacheControl: "public, max-age=60"],
    body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
}

let application = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))
try await application.runService()
