import Foundation
import NukeHTTPCaching

/// The values that a route carries without looking at them.
protocol ImageRouteValues {
  associatedtype Image: Sendable
  /// The data of the original, as a validation returns it.
  associatedtype Original: Sendable
}

/// The state of an image job: a value that answers each event with one action.
///
/// ``ImageJob`` performs the actions and reports the resulting events. ``Explainer`` follows the same route without
/// performing any action.
struct ImageRoute<Values: ImageRouteValues> {
  typealias Image = Values.Image

  /// An encoded result in the disk cache.
  struct Stored {
    let data: Data
    var facts: FreshnessFacts?
    /// The larger variant that was found and is resized; `nil` if the data is the result itself.
    var larger: LargerVariant?
  }

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
    case decodeStored(Stored)
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
      case encoded(Stored)
    }

    let content: Content
    let stamp: FreshnessStamp?
  }

  /// A validation that became necessary: the record of the stale entry, and the time.
  private struct PendingValidation {
    let record: FreshnessRecord
    let since: Timestamp

    /// Returns `true` if another job or process has validated the record since.
    func isSettled(by other: FreshnessRecord) -> Bool { other != record && other.response.responseTime >= since }
  }

  private enum Phase {
    /// Looking in the caches, or making the image.
    case working
    /// Indirect, since these are large and rare.
    indirect case decodingStored(FreshnessFacts?, LargerVariant?)
    /// Validating, or waiting for the holder of the lease.
    indirect case validating(StaleEntry)
  }

  private var phase = Phase.working
  private var pendingValidation: PendingValidation?
  /// The data of the original, if a validation has returned it and it has not been taken.
  private var given: Values.Original?
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

  /// The larger variant that is decoded and resized; `nil` if the image itself was found, or is made.
  var larger: LargerVariant? { if case .decodingStored(_, let larger) = phase { larger } else { nil } }

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

  /// - Parameter given: the data of the original, if it is known; see ``takeGiven()``.
  init(given: Values.Original? = nil) { self.given = given }

  /// Returns the data of the original that a validation has returned, once. It is used in place of a download.
  mutating func takeGiven() -> Values.Original? { given.take() }

  /// Returns the evaluation of an entry after what the route knows: an entry that was validated by another job or process
  /// since its validation became necessary is fresh.
  mutating func evaluated(
    _ evaluation: FreshnessEvaluator.Evaluation, of record: FreshnessRecord?, now: Timestamp
  ) -> FreshnessEvaluator.Evaluation {
    guard case .stale = evaluation, let record else { return evaluation }
    if let pendingValidation { return pendingValidation.isSettled(by: record) ? .fresh(.validated) : evaluation }
    pendingValidation = PendingValidation(record: record, since: now)
    return evaluation
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

  /// Handles the result of the look-up on disk; `stored` is `nil` for a miss.
  mutating func lookedOnDisk(_ stored: Stored?, _ evaluation: FreshnessEvaluator.Evaluation) -> Action {
    guard var stored else { return .acquireLease(.load) }
    switch evaluation {
    case .fresh(let freshness):
      stored.facts = stored.facts.with(freshness)
      return decode(stored)
    case .stale(mayServe: true) where !hasShown:
      afterShowing = .validate
      return decode(stored)
    case .outdated(mayServe: true) where !hasShown:
      afterShowing = .load
      return decode(stored)
    case .stale:
      phase = .validating(StaleEntry(content: .encoded(stored), stamp: stored.facts?.stamp))
      return .acquireLease(.validate)
    case .outdated: return .acquireLease(.load)
    }
  }

  /// Handles the decoded entry; `image` is `nil` if the entry is damaged.
  mutating func decodedStored(_ image: Image?) -> Action {
    guard case .decodingStored(let facts, _) = phase else { preconditionFailure("no stored image is being decoded") }
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

  /// Handles a 304 for the version of `facts`. If that is not the version of the stale entry, another client has stored
  /// images of it meanwhile.
  mutating func notModified(_ facts: FreshnessFacts?) -> Action {
    guard case .validating(let entry) = phase, entry.stamp?.representation == facts?.stamp?.representation else {
      phase = .working
      return .lookOnDisk
    }
    return use(entry, facts)
  }

  /// Handles a new version of the original, and its data.
  mutating func modified(_ original: Values.Original) -> Action {
    phase = .working
    foundIn = nil
    given = original
    return .perform(.load)
  }

  // MARK: -

  private mutating func decode(_ stored: Stored) -> Action {
    phase = .decodingStored(stored.facts, stored.larger)
    foundIn = .disk
    return .decodeStored(stored)
  }

  private mutating func use(_ entry: StaleEntry, _ facts: FreshnessFacts?) -> Action {
    switch entry.content {
    case .image(let image, let foundIn):
      phase = .working
      self.foundIn = foundIn
      return .finish(image, facts)
    case .encoded(var stored):
      stored.facts = facts
      return decode(stored)
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
