// Loads the images of a list before they become visible, and cancels those that were scrolled past.
import Foundation
import Nuke

func prefetch() {
  let urls = (1...100).compactMap { URL(string: "https://example.com/\($0).jpg") }

  let prefetcher = ImagePrefetcher()
  prefetcher.startPrefetching(with: Array(urls[10..<20]))
  prefetcher.stopPrefetching(with: Array(urls[10..<13]))

  // During fast scrolling, no further requests are started.
  prefetcher.isPaused = true
  prefetcher.isPaused = false

  // The view resizes its images, so the resized images are prefetched.
  prefetcher.startPrefetching(
    with: urls[20..<30].map { ImageRequest(url: $0, processors: [.resize(width: 200, unit: .pixels)]) })

  // Downloads images for later, only into the disk cache.
  let pipeline = ImagePipeline(configuration: .withDataCache)
  let downloader = ImagePrefetcher(pipeline: pipeline, destination: .diskCache, maxConcurrentRequestCount: 4)
  downloader.priority = .veryLow
  downloader.startPrefetching(with: urls)
}
