// Shows a grid of photos in a window. A click or the Return key opens a photo.
#if GTK
  import Foundation
  import NukeGTK

  @MainActor func showAGridInAWindow() {
    let photos = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
    GTKMainLoop.run(name: "Photos") {
      GTKColorScheme.desktop.apply()
      let grid = ImageGrid(items: photos) { photo in ImageRequest(url: photo) }
      ImageWindow(grid, title: "Photos").present()
    }
  }
#endif
