// A model that a view observes: the image to display, and the progress of the load.
import Foundation
import Nuke
import NukeUI
import Observation

@MainActor func show(_ state: some LazyImageState) {
  withObservationTracking {
    if let image = state.image {
      print("shows \(image)")
    } else if let error = state.error {
      print("no image: \(error)")
    } else if state.isLoading {
      print("\(Int(state.progress.fraction * 100)) %")
    }
  } onChange: {
    Task { @MainActor in show(state) }
  }
}

@MainActor func observeImage() {
  let fetched = FetchImage()
  show(fetched)
  fetched.processors = [.resize(width: 320)]
  fetched.load(URL(string: "https://example.com/photo.jpg"))
  RunLoop.main.run(until: Date(timeIntervalSinceNow: 2))
}
