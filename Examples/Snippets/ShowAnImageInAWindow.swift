// Shows one image in a window, which enlarges it by keys, the wheel of a mouse, and two fingers.
#if GTK
  import Foundation
  import NukeGTK

  @MainActor func showAnImageInAWindow() {
    GTKMainLoop.run(name: "Photo") {
      GTKColorScheme.desktop.apply()
      let url = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? "photo.jpg")
      ImageWindow(url: url).present()
    }
  }
#endif
