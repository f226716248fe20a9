import Foundation

/// The state of an image job: a value that answers each event with one action.
///
/// ``ImageJob`` performs the actions and reports the resulting events. ``Explainer`` follows the same route without
/// performing any action. `Image` is opaque here.
struct ImageRoute<Image> {
  enum Work: Equatable {
    /// Load the input of the last step.
    case load
    /// Validate the stale entry.
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
    /// Look up the record of the original.
    case lookAtRecord
    /// Deliver a stale image as a preview, and continue as for `acquireLease`.
    case preview(Image, FreshnessFacts?, then: Work)
    case finish(Image, FreshnessFacts?)
  }

  /// A stale entry that is validated.
  private struct StaleEntry {
    enum Content {
      /// An image, and the cache that has it; `nil` if it was made from a stored original and is not stored itself.
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
    /// Validating, or waiting for the holder of the lease. Indirect, since it is large and rare.
    indirect case validating(StaleEntry)
  }

  private var phase = Phase.working
  /// The work after showing a stale image.
  private var afterShowing: Work?
  /// `true` if a stale image has been shown. This happens once.
  private var hasShown = false
  /// `true` if previews are not needed any more, since a stale image has been shown.
  private(set) var previewsAreOver = false
  /// The cache that has this image, so that it is not stored there again; `nil` if it was made.
  private(set) var foundIn: ImageResponse.CacheType?

  /// `true` if an entry of the disk cache is being decoded.
  var isDecodingStored: Bool { if case .decodingStored = phase { true } else { false } }

  /// `true` if the image that is being made is a preview, and not the result.
  var isShowing: Bool { afterShowing != nil }

  /// `true` if the entry that is validated is not stored yet.
  var isStaleEntryNew: Bool {
    if case .validating(let entry) = phase, case .image(_, foundIn: nil) = entry.content { true } else { false }
  }

  /// The version of the original from which the validated entry was made.
  var validatedVersion: UInt64? {
    if case .validating(let entry) = phase { entry.stamp?.representation } else { nil }
  }

  // MARK: Events

  /// Handles a memory hit.
  ///
  /// - Parameter isShown: `true` if the tasks have delivered the image as a preview when they were created.
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

  /// Handles the result of the look-up on disk; `data` is `nil` for a miss.
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

  /// Handles the decoded entry; `image` is `nil` if the entry is damaged.
  mutating func decodedStored(_ image: Image?) -> Action {
    guard case .decodingStored(let facts) = phase else { preconditionFailure("no stored image is being decoded") }
    phase = .working
    if let image { return made(image, facts) }
    foundIn = nil
    afterShowing = nil
    return .perform(.load)
  }

  /// Handles original data that was found in a cache.
  ///
  /// - Returns: `true` if the data is decoded, as the result or as a preview.
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

  /// Handles the finished image.
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

  /// Handles a failure.
  ///
  /// - Returns: `true` if the failed image was meant as a preview only. The original must be loaded then.
  mutating func failed() -> Bool {
    defer { afterShowing = nil }
    if isShowing { foundIn = nil }
    return isShowing
  }

  /// Handles the release of the lease by its holder.
  func lookAgain() -> Action {
    if case .validating = phase { .lookAtRecord } else { .lookOnDisk }
  }

  /// Handles the record of the original, which another client may have renewed.
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

  /// Handles a 304 for the version of `facts`.
  mutating func notModified(_ facts: FreshnessFacts?) -> Action {
    guard case .validating(let entry) = phase, entry.stamp?.representation == facts?.stamp?.representation else {
      phase = .working
      return .perform(.load)
    }
    return use(entry, facts)
  }

  /// Handles a new version of the original.
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
  func with(_ freshness: ImageResponse.Freshness?) -> Self {
    guard var facts = self ?? freshness.map({ _ in FreshnessFacts() }) else { return nil }
    facts.freshness = freshness
    return facts
  }
}
