// The thumbnails of a folder, shared with file managers: existing ones are displayed at once, and new ones are stored
// for other programs.
import Foundation
import Nuke

func shareThumbnails() async {
  let thumbnails = ThumbnailCache(software: "photo-frame-1.0")
  let folder = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent("Pictures")

  for file in (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? [] {
    do {
      let thumbnail = try await thumbnails.thumbnail(of: file, size: .large)
      print(thumbnail.isNew ? "made" : "found", thumbnail.url?.path ?? "and not kept", thumbnail.image)
    } catch {
      print(error)
    }
  }
}
