import Foundation

/// Files that must not be written to, known by what they are, not by their names.
struct FileIdentities: Sendable {
  private struct Identity: Hashable {
    let device: dev_t
    let number: ino_t

    init?(_ path: String) {
      var information = stat()
      guard stat(path, &information) == 0 else { return nil }
      device = information.st_dev
      number = information.st_ino
    }
  }

  private let identities: Set<Identity>

  /// The local files among the sources.
  init(of sources: [Source]) {
    identities = Set(
      sources.compactMap { source in
        guard let url = source.url, url.isFileURL else { return nil }
        return Identity(url.path)
      })
  }

  /// Returns `true` if the path leads to one of them, by whatever name.
  func contains(_ path: String) -> Bool { Identity(path).map(identities.contains) ?? false }
}
