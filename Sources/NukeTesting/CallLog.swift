/// A log of events as short strings.
///
/// Pass one log to several fakes to check their order:
///
/// ```swift
/// let log = CallLog()
/// let task = pipeline.imageTask(with: ImageRequest(url: url, processors: [FakeProcessor("blur", log: log)]))
/// _ = try await task.image
/// #expect(log.entries == ["process blur"])
/// ```
///
/// It may be used from any thread.
public final class CallLog: Sendable {
  private let state = Watched([String]())

  /// Creates an empty log.
  public init() {}

  /// All entries so far.
  public var entries: [String] { state.value }

  /// Appends an entry.
  public func append(_ entry: String) { state.change { $0.append(entry) } }

  /// Waits until there are at least `count` entries, or the waiting task is canceled, and returns all entries.
  @discardableResult
  public func entries(count: Int) async -> [String] { await state.wait { $0.count >= count } }
}
