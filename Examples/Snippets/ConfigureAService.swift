// Creates the pipeline of a service from a file, and reports which setting is wrong.
import Foundation
import Nuke

func makePipeline(configuredBy file: URL) throws -> ImagePipeline {
  let settings = try ImagePipeline.Settings(json: Data(contentsOf: file))
  return ImagePipeline(configuration: try ImagePipeline.Configuration(settings: settings))
}

/// Writes settings that were made in code, for example as a first version of the file.
func writeSettings(to file: URL) throws {
  var settings = ImagePipeline.Settings()
  settings.diskCache = .init(path: "/var/cache/thumbnails")
  settings.diskCache?.maximumAge = 30 * 24 * 3600
  settings.limits = .init()
  settings.limits?.maximumPixelCount = 40_000_000

  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
  try encoder.encode(settings).write(to: file)
}
