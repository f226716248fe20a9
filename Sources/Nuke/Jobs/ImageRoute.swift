import Foundation

/// Decides what follows from what a load has found: a value that answers each event with one action.
///
/// ``ImageJob`` performs the actions and reports what came of them. ``Explainer`` follows the same route without
/// performing any. `Image` is opaque here.
struct ImageRoute<Image> {
  enum Work: Equatable {
    /// Load what the last step works on.
    case load
    /// Ask the server about the stale entry.
    case validate
  }

  enum Action {
    /// Look for the encoded result in the disk cache.
    case lookOnDisk
    /// Decode the encoded result, then report ``ImageRoute/decodedStored(_:)``.
    case decodeStored(Data, FreshnessFacts?)
    /// Do the work, or wait for the client of the cache that does it, then report ``ImageRoute/lookAgain()``.
    case acquireLease(Work)
    case perform(Work)
    /// Look at what is known of the original by now.
    case lookAtRecord
    /// Deliver a stale image as a preview, and go on as for `acquireLease`.
    case preview(Image, FreshnessFacts?, then: Work)
    case finish(Image, FreshnessFacts?)
  }

  /// A stale entry about which the server is asked.
  private struct StaleEntry {
    enum Content {
      /// An image, and the cache that has it; `nil` if it was made of a stored original and is not stored itself.
      case image(Image, foundIn: ImageResponse.CacheType?)
      /// An encoded result that has not been decoded.
      case encoded(Data)
    }

    let content: Content
    let stamp: FreshnessStamp?
  }

  private enum Phase {
    /// Looking in the caches, or making the image.
    case working
    case decodingStored(FreshnessFacts?)
    /// Also while somebody else has the lease.
    case validating(StaleEntry)
  }

  private var phase = Phase.working
  /// The work that follows after a stale image has been shown.
  private var afterShowing: Work?
  /// `true` if a stale image has been shown, which is not done twice.
  private var hasShown = false
  /// `true` if no preview is of use any more: a stale image has been shown, and no preview is better.
  private(set) var previewsAreOver = false
  /// The cache that has this very image, so that it need not be stored there again; `nil` if it was made.
  private(set) var foundIn: ImageResponse.CacheType?

  /// `true` if an entry of the disk cache is being decoded.
  var isDecodingStored: Bool { if case .decodingStored = phase { true } else { false } }

  /// `true` if the image is shown when it is made, and not the result.
  var isShowing: Bool { afterShowing != nil }

  /// `true` if the entry that is validated is not stored yet.
  var isStaleEntryNew: Bool {
    if case .validating(let entry) = phase, case .image(_, foundIn: nil) = entry.content { true } else { false }
  }

  /// The version of the original that the entry which is validated was made of.
  var validatedVersion: UInt64? {
    if case .validating(let entry) = phase { entry.stamp?.representation } else { nil }
  }

  // MARK: Events

  /// The memory cache has the image.
  ///
  /// - Parameter isShown: `true` if tasks have shown what may be shown when they were created.
  mutating func foundInMemory(
    _ image: Image, _ facts: FreshnessFacts?, _ evaluation: FreshnessEvaluator.Evaluation, isShown: Bool
  ) -> Action {
    switch evaluation {
    case .fresh(let freshness):
      foundIn = .memory
      return .finish(image, facts.with(freshness))
    case .stale(let mayServe):
      if mayServe { noteShown(isShown) }
      phase = .validating(StaleEntry(content: .image(image, foundIn: .memory), stamp: facts?.stamp))
      return .acquireLease(.validate)
    case .outdated(let mayServe):
      if mayServe { noteShown(isShown) }
      return .lookOnDisk
    }
  }

  /// The disk cache has been looked at for the encoded result; `data` is `nil` if it has none.
  mutating func lookedOnDisk(
    _ data: Data?, _ facts: FreshnessFacts?, _ evaluation: @autoclosure () -> FreshnessEvaluator.Evaluation
  ) -> Action {
    guard let data else { return .acquireLease(.load) }
    switch evaluation() {
    case .fresh(let freshness): return decodeStored(data, facts.with(freshness))
    case .stale(mayServe: true) where !hasShown:
      afterShowing = .validate
      return decodeStored(data, facts)
    case .outdated(mayServe: true) where !hasShown:
      afterShowing = .load
      return decodeStored(data, facts)
    case .stale:
      phase = .validating(StaleEntry(content: .encoded(data), stamp: facts?.stamp))
      return .acquireLease(.validate)
    case .outdated: return .acquireLease(.load)
    }
  }

  /// The encoded result has been decoded; `image` is `nil` if it is damaged.
  mutating func decodedStored(_ image: Image?) -> Action {
    guard case .decodingStored(let facts) = phase else { preconditionFailure("no stored image is being decoded") }
    phase = .working
    if let image { return made(image, facts) }
    foundIn = nil
    afterShowing = nil
    return .perform(.load)
  }

  /// The data of the original has been found in a cache.
  ///
  /// - Returns: `true` if the image is made of it, perhaps only to be shown.
  mutating func foundOriginal(_ evaluation: FreshnessEvaluator.Evaluation) -> Bool {
    switch evaluation {
    case .fresh: return true
    case .stale(let mayServe):
      if mayServe { afterShowing = .validate }
      return mayServe
    case .outdated(let mayServe):
      if mayServe { afterShowing = .load }
      return mayServe
    }
  }

  /// The image has been made.
  mutating func made(_ image: Image, _ facts: FreshnessFacts?) -> Action {
    guard let work = afterShowing else { return .finish(image, facts) }
    afterShowing = nil
    noteShown(true)
    if work == .validate {
      phase = .validating(StaleEntry(content: .image(image, foundIn: foundIn), stamp: facts?.stamp))
    }
    foundIn = nil
    return .preview(image, facts, then: work)
  }

  /// The image could not be made.
  ///
  /// - Returns: `true` if it was only to be shown, so that the original is loaded.
  mutating func failed() -> Bool {
    defer { afterShowing = nil }
    if isShowing { foundIn = nil }
    return isShowing
  }

  /// The client of the cache that had the lease has let it go.
  func lookAgain() -> Action {
    if case .validating = phase { .lookAtRecord } else { .lookOnDisk }
  }

  /// The record of the original has been looked up, which another client may have renewed.
  mutating func lookedAtRecord(_ evaluation: FreshnessEvaluator.Evaluation) -> Action {
    guard case .validating(let entry) = phase else { preconditionFailure("nothing is being validated") }
    switch evaluation {
    case .fresh(let freshness): return use(entry, FreshnessFacts(stamp: entry.stamp, freshness: freshness))
    case .stale: return .acquireLease(.validate)
    case .outdated:
      phase = .working
      return .lookOnDisk
    }
  }

  /// The server says that the version of `facts` is current.
  mutating func notModified(_ facts: FreshnessFacts?) -> Action {
    guard case .validating(let entry) = phase, entry.stamp?.representation == facts?.stamp?.representation else {
      phase = .working
      return .perform(.load)
    }
    return use(entry, facts)
  }

  /// The server has sent another version.
  mutating func modified() -> Action {
    phase = .working
    foundIn = nil
    return .perform(.load)
  }

  // MARK: -

  private mutating func decodeStored(_ data: Data, _ facts: FreshnessFacts?) -> Action {
    phase = .decodingStored(facts)
    foundIn = .disk
    return .decodeStored(data, facts)
  }

  private mutating func use(_ entry: StaleEntry, _ facts: FreshnessFacts?) -> Action {
    switch entry.content {
    case .image(let image, let foundIn):
      phase = .working
      self.foundIn = foundIn
      return .finish(image, facts)
    case .encoded(let data): return decodeStored(data, facts)
    }
  }

  private mutating func noteShown(_ isShown: Bool) {
    hasShown = isShown
    previewsAreOver = true
  }
}

extension FreshnessFacts? {
  fileprivate func with(_ freshness: ImageResponse.Freshness?) -> Self {
    guard var facts = self ?? freshness.map({ _ in FreshnessFacts() }) else { return nil }
    facts.freshness = freshness
    return facts
  }
}
