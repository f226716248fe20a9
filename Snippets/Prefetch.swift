// Loads the images of a list before they are scrolled to, and gives up those that are scrolled past.
import Foundation
import Nuke

let urls = (1...100).compactMap { URL(string: "https://example.com/\($0).jpg") }

let prefetcher = ImagePrefetcher()
prefetcher.startPrefetching(with: Array(urls[10..<20]))
prefetcher.stopPrefetching(with: Array(urls[10..<13]))

// A fast scroll: nothing new is started until it ends.
prefetcher.isPaused = true
prefetcher.isPaused = false

// What shows the images resizes them, so that is what is prefetched.
prefetcher.startPrefetching(
  with: urls[20..<30].map { ImageRequest(url: $0, processors: [.resize(width: 200, unit: .pixels)]) })

// A download for later, into the disk cache alone.
let pipeline = ImagePipeline(configuration: .withDataCache)
let downloader = ImagePrefetcher(pipeline: pipeline, destination: .diskCache, maxConcurrentRequestCount: 4)
downloader.priority = .veryLow
downloader.startPrefetching(with: urls)
