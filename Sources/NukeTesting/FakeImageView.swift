public import Nuke

/// A view without a toolkit that records its presentations.
///
/// ```swift
/// let view = FakeImageView()
/// loadImage(with: url, options: options, into: view)
/// #expect(await view.presentations(count: 2).map(\.phase) == [.placeholder, .success])
/// ```
@MainActor public final class FakeImageView: ImageDisplaying {
  /// The slot that cancels the load when the view is deinitialized.
  public let imageLoading = ImageLoadingSlot()

  private let shown = Watched([ImagePresentation]())
  private let log: CallLog?
  /// Called after the view has recorded a presentation.
  public var onDisplay: ((ImagePresentation) -> Void)?

  /// Creates an empty view.
  ///
  /// - Parameter log: receives "show" with the phase, or "show nothing".
  nonisolated public init(log: CallLog? = nil) { self.log = log }

  /// The presentations, in order.
  public var presentations: [ImagePresentation] { shown.value }
  /// The current image.
  public var image: PlatformImage? { shown.value.last?.image }

  /// Waits until the view has displayed at least `count` presentations, or the waiting task is canceled, and returns
  /// all presentations.
  @discardableResult
  public func presentations(count: Int) async -> [ImagePresentation] { await shown.wait { $0.count >= count } }

  public func display(_ presentation: ImagePresentation) {
    log?.append(presentation.image == nil ? "show nothing" : "show \(presentation.phase)")
    shown.change { $0.append(presentation) }
    onDisplay?(presentation)
  }
}
