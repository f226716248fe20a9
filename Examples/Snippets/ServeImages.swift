// Renders the image of an image server's URL, without the server.
import Foundation
import Nuke
import NukeServing

func serveImages() async throws {
  // Sources are loaded only from public addresses, also after redirects.
  var web = DataLoader.defaultConfiguration
  web.addressPolicy = .publicOnly
  web.isLocalResourcesSupportEnabled = false
  let loader = DataLoader(configuration: web)
  var configuration = ImagePipeline.Configuration.server
  configuration.dataLoader = SourceLoader(["http": loader, "https": loader])
  configuration.imageCache = nil  // The service caches results.

  let service = RenditionService(pipeline: ImagePipeline(configuration: configuration))
  let url = try ImageURL(path: "/unsafe/rs:fill:320:240/plain/https://example.com/a.jpg@webp")
  let options = try url.imageOptions(now: Int(Date().timeIntervalSince1970))
  let source = try SourceRules().source(url.source)
  let rendition = try await service.rendition(
    for: RenditionRequest(source: source, options: options, format: options.format))
  print(rendition.contentType, rendition.data.count, rendition.entityTag)
}
