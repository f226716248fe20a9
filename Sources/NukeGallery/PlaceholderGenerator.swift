#if GTK
  import Dispatch
  import Foundation
  import Glibc
  import Nuke

  /// Computes placeholders of images that were not shown yet, one at a time, on a thread with low priority. Prefetched
  /// images precede local files.
  final class PlaceholderGenerator: Sendable {
    private struct State {
      var isStopped = false
      /// The data of prefetched images, the latest at the end.
      var fetched: [(url: URL, data: Data)] = []
      var files: ArraySlice<URL>
    }

    private enum Job {
      case fetched(URL, Data)
      case file(URL)
      case stop
    }

    private let state: Lock<State>
    /// Counts the available jobs.
    private let jobs = DispatchSemaphore(value: 0)
    private let isKnown: @Sendable (URL) -> Bool
    private let store: @Sendable (URL, ThumbHash) -> Void
    /// The maximum number of prefetched images in the queue. Others are ignored.
    private static let fetchedLimit = 16
    /// The niceness of the thread.
    private static let niceness: Int32 = 15

    /// - Parameters:
    ///   - urls: the images. Local files are read; others are used when they are prefetched.
    ///   - isKnown: returns `true` if there is a placeholder already.
    ///   - store: receives a placeholder, on the thread of this object.
    init(
      _ urls: [URL], isKnown: @escaping @Sendable (URL) -> Bool, store: @escaping @Sendable (URL, ThumbHash) -> Void
    ) {
      self.isKnown = isKnown
      self.store = store
      let files = urls.filter(\.isFileURL)
      state = Lock(State(files: files[...]))
      for _ in files { jobs.signal() }
      let thread = Thread { [self] in run() }
      thread.name = "nuke.placeholder"
      thread.start()
    }

    /// Adds the data of a prefetched image.
    func add(_ url: URL, _ data: Data) {
      let isAdded = state.withLock { state in
        guard !state.isStopped, state.fetched.count < Self.fetchedLimit else { return false }
        state.fetched.append((url, data))
        return true
      }
      if isAdded { jobs.signal() }
    }

    /// Ends the thread after the current image.
    func stop() {
      state.withLock {
        $0.isStopped = true
        $0.fetched = []
        $0.files = []
      }
      jobs.signal()
    }

    private func run() {
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
      while true {
        jobs.wait()
        switch next() {
        case .stop: return
        case .fetched(let url, let data): generate(from: data, isWhole: true, of: url)
        case .file(let url): generate(from: url)
        case nil: break
        }
      }
    }

    private func next() -> Job? {
      state.withLock { state in
        if state.isStopped { return .stop }
        if let (url, data) = state.fetched.popLast() { return .fetched(url, data) }
        return state.files.popFirst().map { .file($0) }
      }
    }

    private func generate(from url: URL) {
      guard !isKnown(url), let file = try? PhotoFile(PhotoStore.path(of: url)) else { return }
      let isWhole = file.byteCount <= FilePlaceholder.wholeLength
      let count = isWhole ? FilePlaceholder.wholeLength : FilePlaceholder.prefixLength
      if let data = try? file.handle.read(upToCount: count) { generate(from: data, isWhole: isWhole, of: url) }
    }

    private func generate(from data: Data, isWhole: Bool, of url: URL) {
      if !isKnown(url), let hash = FilePlaceholder.hash(of: data, isWhole: isWhole) { store(url, hash) }
    }
  }
#endif
