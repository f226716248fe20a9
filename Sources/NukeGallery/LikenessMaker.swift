#if GTK
  import Dispatch
  import Foundation
  import Glibc
  import Nuke

  /// Makes likenesses of images that were never shown, one after the other, on a thread that gives way to all others:
  /// of local files in their order, and before those of what was fetched ahead.
  final class LikenessMaker: Sendable {
    private struct State {
      var isStopped = false
      /// Data that was fetched ahead, the last at the end.
      var fetched: [(url: URL, data: Data)] = []
      var files: ArraySlice<URL>
    }

    private enum Job {
      case fetched(URL, Data)
      case file(URL)
      case stop
    }

    private let state: Lock<State>
    /// Counts what there is to be done.
    private let jobs = DispatchSemaphore(value: 0)
    private let isKnown: @Sendable (URL) -> Bool
    private let keep: @Sendable (URL, ThumbHash) -> Void
    /// What was fetched and is not looked at in time is let go of.
    private static let fetchedLimit = 16
    /// Of a thread beside which all others come first.
    private static let niceness: Int32 = 15

    /// - Parameters:
    ///   - urls: those of local files are looked at, the others when they are fetched.
    ///   - isKnown: whether there is a likeness already.
    ///   - keep: gets a likeness, on the thread of this object.
    init(
      _ urls: [URL], isKnown: @escaping @Sendable (URL) -> Bool, keep: @escaping @Sendable (URL, ThumbHash) -> Void
    ) {
      self.isKnown = isKnown
      self.keep = keep
      let files = urls.filter(\.isFileURL)
      state = Lock(State(files: files[...]))
      for _ in files { jobs.signal() }
      let thread = Thread { [self] in run() }
      thread.name = "nuke.likeness"
      thread.start()
    }

    /// Takes data that was fetched ahead.
    func add(_ url: URL, _ data: Data) {
      let isAdded = state.withLock { state in
        guard !state.isStopped, state.fetched.count < Self.fetchedLimit else { return false }
        state.fetched.append((url, data))
        return true
      }
      if isAdded { jobs.signal() }
    }

    /// Ends the thread, after the image that it looks at.
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
        case .fetched(let url, let data): look(at: data, isWhole: true, of: url)
        case .file(let url): look(at: url)
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

    private func look(at file: URL) {
      guard !isKnown(file), let handle = try? FileHandle(forReadingFrom: file) else { return }
      defer { try? handle.close() }
      guard let end = try? handle.seekToEnd(), (try? handle.seek(toOffset: 0)) != nil else { return }
      let isWhole = end <= SourceLikeness.wholeLength
      let count = isWhole ? SourceLikeness.wholeLength : SourceLikeness.prefixLength
      if let data = try? handle.read(upToCount: count) { look(at: data, isWhole: isWhole, of: file) }
    }

    private func look(at data: Data, isWhole: Bool, of url: URL) {
      if !isKnown(url), let hash = SourceLikeness.hash(of: data, isWhole: isWhole) { keep(url, hash) }
    }
  }
#endif
