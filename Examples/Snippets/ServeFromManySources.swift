// The engine of an image server, for a program with its own HTTP server.
import Foundation
import Nuke
import NukeServing

func serveFromManySources() async {
  // MARK: Sources

  // Untrusted URLs are loaded only from public addresses, also after redirects.
  var web = DataLoader.defaultConfiguration
  web.addressPolicy = .publicOnly
  web.isLocalResourcesSupportEnabled = false
  let loader = DataLoader(configuration: web)
  let images = URL(fileURLWithPath: "/srv/images", isDirectory: true)
  let sources = SourceLoader(["http": loader, "https": loader, "local": LocalSource(root: images)])

  var pipeline = ImagePipeline.Configuration.server
  pipeline.dataLoader = sources
  // The service stores results, so the pipeline does not cache images and sources.
  pipeline.imageCache = nil
  pipeline.dataCache = nil

  // MARK: Load and stores

  var limits = ServiceConfiguration()
  limits.deadline = 10
  limits.maximumWaiting = 64
  var stores: [any DataCaching] = []
  if let disk = try? DataCache(name: "com.example.renditions") { stores.append(disk) }
  let service = RenditionService(
    pipeline: ImagePipeline(configuration: pipeline), stores: stores, configuration: limits)

  // MARK: Response

  /// Returns the status, media type and body for a path.
  func answer(to path: String) async -> (status: Int, type: String, body: Data) {
    do throws(ServingError) {
      let url = try ImageURL(path: path)
      let options = try url.imageOptions(now: Int(Date().timeIntervalSince1970))
      let source = try sources.rules.source(url.source)
      let rendition = try await service.rendition(
        for: RenditionRequest(source: source, options: options, format: options.format))
      return (200, rendition.contentType, rendition.data)
    } catch {
      // `error.description` is only for the log.
      return (error.status, "text/plain", Data(error.publicMessage.utf8))
    }
  }

  let (status, type, body) = await answer(to: "/unsafe/rs:fill:320:240/plain/local:///lake.jpg@webp")
  print(status, type, body.count)
  await service.shutdown(gracePeriod: 5)
}
