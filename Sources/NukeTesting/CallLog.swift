/// A log of events, in order, as short texts that a test can compare.
///
/// Hand one log to several fakes to see the order between them:
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

  /// An empty log.
  public init() {}

  /// All entries so far.
  public var entries: [String] { state.value }

  /// Adds an entry at the end.
  public func append(_ entry: String) { state.change { $0.append(entry) } }

  /// Returns the entries once there are `count` or more.
  @discardableResult
  public func entries(count: Int) async -> [String] { await state.wait { $0.count >= count } }
}
