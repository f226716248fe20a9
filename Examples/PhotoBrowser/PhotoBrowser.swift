#if GTK
  import Foundation
  import NukeGTK

  /// A browser for the photos of a folder, or of the folder of a photo, which it opens:
  /// `swift run --traits GTK PhotoBrowser ~/Pictures`
  @main struct Program {
    @MainActor static func main() {
      let place = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? ".")
      GTKMainLoop.run(name: "Photo Browser", id: "org.nuke.PhotoBrowser") {
        GTKColorScheme.desktop.apply()
        PhotoBrowser(place).window.present()
      }
    }
  }

  /// A window with a grid of thumbnails, and a page with one photo that can be enlarged. The button in its header bar
  /// lists the keys. Photos that cannot be read are shown with the reason.
  @MainActor struct PhotoBrowser {
    let window: ImageWindow

    /// - Parameters:
    ///   - place: a folder, or a photo.
    ///   - options: the loading options. The default is `ImageLoadingOptions.shared`.
    init(_ place: URL, options: ImageLoadingOptions? = nil) {
      let opensPhoto = Self.isPhoto(place)
      let (photos, message) = Self.photos(in: opensPhoto ? place.deletingLastPathComponent() : place)
      let grid = ImageGrid(items: photos, options: options) { photo in ImageRequest(url: photo) }
      window = ImageWindow(grid, title: "Photos", emptyMessage: message)
      if opensPhoto, let position = photos.firstIndex(where: { $0.path == place.path }) { window.open(position) }
    }

    private static let extensions: Set<String> = ["jpg", "jpeg", "png", "gif", "webp", "heic", "avif"]

    private static func isPhoto(_ file: URL) -> Bool { extensions.contains(file.pathExtension.lowercased()) }

    /// Returns the photos of a folder and its subfolders, by path, and the text to show if there are none.
    static func photos(in folder: URL) -> (photos: [URL], message: String) {
      do {
        _ = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      } catch {
        let isThere = FileManager.default.fileExists(atPath: folder.path)
        return ([], isThere ? "\(folder.path) is not a folder that can be read." : "There is no folder \(folder.path).")
      }
      let files = FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
      let photos = (files?.allObjects as? [URL] ?? []).filter(isPhoto)
      return (photos.sorted { $0.path < $1.path }, "There are no photos in \(folder.path).")
    }
  }
#else
  @main struct Program {
    static func main() { print("PhotoBrowser: built without GTK; say `swift run --traits GTK PhotoBrowser`") }
  }
#endif
