// The engine of an image server, in a program that speaks HTTP by itself.
import Foundation
import Nuke
import NukeServing

// MARK: Sources

// What strangers name is fetched from the public Internet alone, also behind redirects.
var web = DataLoader.defaultConfiguration
web.addressPolicy = .publicOnly
web.isLocalResourcesSupportEnabled = false
let loader = DataLoader(configuration: web)
let images = URL(fileURLWithPath: "/srv/images", isDirectory: true)
let sources = SourceLoader(["http": loader, "https": loader, "local": LocalSource(root: images)])

var pipeline = ImagePipeline.Configuration.server
pipeline.dataLoader = sources
// The service keeps files; images and sources need not be kept as well.
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

// MARK: An answer

/// Status, type and body of what is sent for a path.
func answer(to path: String) async -> (status: Int, type: String, body: Data) {
  do throws(ServingError) {
    let url = try ImageURL(path: path)
    let options = try url.imageOptions(now: Int(Date().timeIntervalSince1970))
    let source = try sources.rules.source(url.source)
    let rendition = try await service.rendition(
      for: RenditionRequest(source: source, options: options, format: options.format))
    return (200, rendition.contentType, rendition.data)
  } catch {
    // `error.description` is for the log alone.
    return (error.status, "text/plain", Data(error.publicMessage.utf8))
  }
}

let (status, type, body) = await answer(to: "/unsafe/rs:fill:320:240/plain/local:///lake.jpg@webp")
print(status, type, body.count)
await service.shutdown(gracePeriod: 5)
