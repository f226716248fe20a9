#if Command
  import Foundation
  import Nuke

  extension LoadRun {
    /// Writes the data of a source as it was loaded. Throws if it is not an image whose header can be read, such as a page
    /// that a server sends instead.
    func writeOriginal(_ data: Data, _ facts: ImageTask.Facts, of index: Int) throws -> LoadedImage {
      guard let output else { throw LoadFailure("--original needs --output") }
      let header = try ImageReaders.reader(for: data, limits: .unlimited).header
      let path = try output.originalPath(for: index, header)
      let start = ContinuousClock.now
      try AtomicFile.write(data, to: path)
      var loaded = LoadedImage(header, facts: facts)
      loaded.addOutput(path, bytes: data.count, writing: (ContinuousClock.now - start).seconds)
      return loaded
    }
  }
#endif
