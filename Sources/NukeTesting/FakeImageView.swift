public import Nuke

/// A view without a toolkit, that notes what it was told to show.
///
/// ```swift
/// let view = FakeImageView()
/// loadImage(with: url, options: options, into: view)
/// #expect(await view.presentations(count: 2).map(\.phase) == [.placeholder, .success])
/// ```
@MainActor public final class FakeImageView: ImageDisplaying {
  /// The slot of a view that stores one: destroyed, it cancels its load at once.
  public let imageLoading = ImageLoadingSlot()

  private let shown = Watched([ImagePresentation]())
  private let log: CallLog?
  /// Called when the view has noted what it shall show, for programs that do something then.
  public var onDisplay: ((ImagePresentation) -> Void)?

  /// An empty view.
  ///
  /// - Parameter log: gets "show" with the phase, or "show nothing", as it happens.
  nonisolated public init(log: CallLog? = nil) { self.log = log }

  /// The presentations so far, in order.
  public var presentations: [ImagePresentation] { shown.value }
  /// The image that it shows now.
  public var image: PlatformImage? { shown.value.last?.image }

  /// Returns all it was told to show once that is `count` times or more.
  @discardableResult
  public func presentations(count: Int) async -> [ImagePresentation] { await shown.wait { $0.count >= count } }

  public func display(_ presentation: ImagePresentation) {
    log?.append(presentation.image == nil ? "show nothing" : "show \(presentation.phase)")
    shown.change { $0.append(presentation) }
    onDisplay?(presentation)
  }
}
