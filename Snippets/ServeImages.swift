// Renders the image of an image server's URL, without the server.
import Foundation
import Nuke
import NukeServing

let service = RenditionService(pipeline: ImagePipeline(configuration: .server))
let url = try ImageURL(path: "/unsafe/rs:fill:320:240/plain/https://example.com/a.jpg@webp")
let options = try url.imageOptions(now: Int(Date().timeIntervalSince1970))
let source = try SourceRules().source(url.source)
let rendition = try await service.rendition(
  for: RenditionRequest(source: source, options: options, format: options.format))
print(rendition.contentType, rendition.data.count, rendition.entityTag)
