import Nuke

/// What a client with caches must do by RFC 9111 and the article "Caching and freshness", written down as plainly as
/// possible. All loads are of one original, one after the other, by two processes that share the caches on disk.
struct FreshnessModel {
  typealias Freshness = ImageResponse.Freshness
  /// The names of the processors; empty for the original.
  typealias Steps = [String]

  /// An image or data in a cache. The copy of the original is not known if the policy was `ignore`.
  private struct Entry: Equatable {
    var version: Int
    var copy: Int?
  }

  private struct Process {
    var memory: [Steps: Entry] = [:]
    /// The response of which the process knows through its images in memory.
    var known: Response?
    /// The response of which it knew through images that are gone.
    var formerlyKnown: Response?

    /// Only images in memory keep what the process knows.
    mutating func forget() {
      if memory.values.contains(where: { $0.copy != nil }) { return }
      formerlyKnown = known ?? formerlyKnown
      known = nil
    }
  }

  private struct Disk {
    var entries: [Steps: Entry] = [:]
    var known: Response?
  }

  let setup: Setup

  var server = Server()
  private var processes = [Process(), Process()]
  private var disk = Disk()
  /// What the HTTP cache below the loader has.
  private var below: Response?
  private var copies = 0
  private var request = Request()
  private var outcome = Outcome(result: .failure(.missing))
  /// The number of copies when the server said that there is no original, or that it must not be stored.
  private var goneCopies = 0
  /// The decisions so far, by name, to prove that they are frequent.
  private(set) var counts: [String: Int] = [:]
  private(set) var leftOut: LeftOut?

  init(_ setup: Setup) { self.setup = setup }

  // MARK: Events

  mutating func replace(_ process: Int) { processes[process] = Process() }

  mutating func clearMemory(of process: Int) {
    processes[process].memory = [:]
    processes[process].forget()
  }

  mutating func clearDisk() { disk = Disk() }

  mutating func clearHTTPCache() { below = nil }

  /// The versions of the images and the data in the disk cache.
  var versionsOnDisk: [Steps: Int] { disk.entries.mapValues(\.version) }

  /// The seconds until the rules for a known response change.
  var secondsToChanges: [Int] {
    let responses = (processes.map(\.known) + [disk.known, below]).compactMap(\.self)
    return responses.flatMap { response in
      let limits = [0, 10, response.control.staleWhileRevalidate, response.control.staleIfError].compactMap(\.self)
      return limits.map { $0 - response.staleness(at: now) }.filter { $0 > 2 }
    }
  }

  mutating func load(_ request: Request) -> Outcome {
    (self.request, outcome, leftOut) = (request, Outcome(result: .failure(.missing)), nil)
    let made = request.isData ? original() : image(request.steps)
    outcome.result = made.map { made in
      Outcome.Image(
        version: made.entry.version, freshness: made.freshness, cacheType: made.cacheType, origin: made.origin)
    }
    if case .success(let made) = made {
      if !request.isData { countWork(on: made) }
      store(made)
    }
    processes[request.process].forget()
    return outcome
  }

  /// After a 304, an image that was shown is neither decoded nor processed again.
  private mutating func countWork(on made: Made) {
    if made.cacheType != .memory, !made.isShown { outcome.work?.decodes += 1 }
    if made.isShown, made.freshness == .validated { return }
    outcome.work?.calls += request.steps.count - made.steps.count
  }

  /// Counts a load that is left out.
  mutating func leaveOut(_ reason: LeftOut) { count("left out: \(reason)") }

  private mutating func count(_ event: String) { counts[event, default: 0] += 1 }

  // MARK: Evaluation

  private enum Evaluation {
    case usable(Freshness?)
    case stale(mayShow: Bool)
    /// The version is not known, or the original has another one by now.
    case unknown(mayShow: Bool)
  }

  private var now: Int { server.now }
  private var hasPolicy: Bool { request.policy != .ignore }
  private var isOffline: Bool { request.option == .offline }
  private var reads: Bool { request.option != .reload }
  private var isStaleWanted: Bool { hasPolicy && request.option == .staleWhileRevalidate }

  private var known: Response? {
    get { processes[request.process].known }
    set { (processes[request.process].known, processes[request.process].formerlyKnown) = (newValue, nil) }
  }

  private func rule(for response: Response, revalidates: Bool) -> Response.Rule {
    response.rule(at: now, maxStale: hasPolicy ? request.maxStale : nil, revalidates: revalidates)
  }

  private mutating func evaluate(_ entry: Entry) -> Evaluation {
    guard hasPolicy else { return .usable(nil) }
    if isOffline, let copy = entry.copy, copy <= goneCopies {
      leftOut = .offlineAndGone
      return .unknown(mayShow: false)
    }
    guard let known, known.copy == entry.copy else {
      if known == nil, let copy = processes[request.process].formerlyKnown?.copy, copy == entry.copy {
        leftOut = .formerlyKnown
      }
      return isOffline ? .usable(.stale(.offline)) : .unknown(mayShow: isStaleWanted)
    }
    if isOffline { return .usable(known.isFresh(at: now) ? .fresh : .stale(.offline)) }
    switch rule(for: known, revalidates: request.policy == .revalidate) {
    case .fresh: return .usable(.fresh)
    case .accepted: return .usable(.stale(.maxStale))
    case .stale(let whileRevalidating): return .stale(mayShow: isStaleWanted || whileRevalidating)
    }
  }

  // MARK: The caches of the pipeline

  /// An image or data, and where it came from.
  private struct Made {
    var entry: Entry
    var freshness: Freshness?
    var cacheType: ImageResponse.CacheType?
    var origin: ImageTask.Facts.Origin
    /// The processors that were applied to what was found or received.
    var steps: Steps = []
    /// The cache that has an image with these steps.
    var foundIn: ImageResponse.CacheType?
    var isShown = false
    /// The data of the original has just been received.
    var isReceived = false
    var mayBeStored = true

    func with(_ freshness: Freshness?) -> Load {
      var made = self
      made.freshness = freshness
      return .success(made)
    }
  }

  private typealias Load = Result<Made, Failure>

  private mutating func image(_ steps: Steps) -> Load {
    if setup.hasMemory, reads, let entry = processes[request.process].memory[steps] {
      let found = Made(entry: entry, cacheType: .memory, origin: .memory, steps: steps, foundIn: .memory)
      switch evaluate(entry) {
      case .usable(let freshness):
        outcome.isImmediate = steps == request.steps
        return use(found, freshness)
      case .stale(let mayShow):
        if mayShow { showFromMemory(entry, steps) }
        return validate(found)
      case .unknown(let mayShow):
        count("memory: unknown")
        if mayShow { showFromMemory(entry, steps) }
      }
    }
    return imageOnDisk(steps)
  }

  private mutating func imageOnDisk(_ steps: Steps) -> Load {
    guard !steps.isEmpty else { return original() }
    if let entry = readDisk(steps) {
      var found = Made(entry: entry, cacheType: .disk, origin: .disk, steps: steps, foundIn: .disk)
      switch evaluate(entry) {
      case .usable(let freshness): return use(found, freshness)
      case .stale(let mayShow):
        found.isShown = mayShow && show(entry, steps, "disk")
        return validate(found)
      case .unknown(let mayShow):
        count("disk: unknown")
        if mayShow { show(entry, steps, "disk") }
      }
    }
    return image(Array(steps.dropLast()))
  }

  private mutating func original() -> Load {
    let entry = readDisk([])
    if let entry {
      var found = Made(entry: entry, cacheType: .disk, origin: .disk)
      switch evaluate(entry) {
      case .usable(let freshness): return use(found, freshness)
      case .stale(let mayShow):
        found.isShown = mayShow && !request.isData && show(entry, [], "original")
        return validate(found)
      case .unknown(let mayShow):
        count("original: unknown")
        if mayShow, !request.isData { show(entry, [], "original") }
      }
    }
    return originalBelow(isOutdatedOnDisk: entry != nil) ?? receive(fetch())
  }

  private mutating func use(_ found: Made, _ freshness: Freshness?) -> Load {
    count("\(found.foundIn.map { "\($0)" } ?? "original"): used as \(freshness.map { "\($0)" } ?? "it is")")
    return found.with(freshness)
  }

  /// Shows a stale original of the HTTP cache. If it is not shown, that cache validates it itself.
  private mutating func originalBelow(isOutdatedOnDisk: Bool) -> Load? {
    guard let below, hasPolicy, reads, !isOffline, !request.isData,
      case .stale(let whileRevalidating) = rule(for: below, revalidates: request.policy == .revalidate),
      whileRevalidating || isStaleWanted
    else { return nil }
    if isOutdatedOnDisk || !outcome.previews.isEmpty { leftOut = .staleBelowOutdated }
    if known.map({ $0.validated < below.validated }) ?? true { known = below }
    let entry = Entry(version: below.version, copy: below.copy)
    guard known?.copy == below.copy else {
      if isStaleWanted { show(entry, [], "HTTP cache") }
      return nil
    }
    let isShown = show(entry, [], "HTTP cache")
    return validate(Made(entry: entry, origin: .disk, isShown: isShown))
  }

  private mutating func readDisk(_ steps: Steps) -> Entry? {
    guard setup.hasDisk, reads else { return nil }
    if hasPolicy { learn() }
    return disk.entries[steps]
  }

  /// Another process may have received or validated a response later.
  private mutating func learn() {
    guard setup.hasDisk, let other = disk.known else { return }
    if known.map({ $0.validated < other.validated }) ?? true { known = other }
  }

  /// A stale image is shown once, before the server is asked.
  ///
  /// - Parameter steps: the processors that were applied to what is in the cache.
  @discardableResult
  private mutating func show(_ entry: Entry, _ steps: Steps, _ place: String) -> Bool {
    guard outcome.previews.isEmpty else {
      if steps != request.steps { outcome.work = nil }
      return false
    }
    count("shown: \(place)")
    outcome.previews.append(entry.version)
    if place != "memory" { outcome.work?.decodes += 1 }
    outcome.work?.calls += request.steps.count - steps.count
    return true
  }

  private mutating func showFromMemory(_ entry: Entry, _ steps: Steps) {
    if outcome.previews.isEmpty, steps != request.steps { leftOut = .intermediateImageInMemory }
    if show(entry, steps, "memory") { outcome.isImmediate = true }
  }

  /// Remembers what is known of the original now; `nil` to forget it.
  private mutating func note(_ response: Response?) {
    if response == nil { goneCopies = copies }
    known = response
    disk.known = response
  }

  // MARK: Asking

  private mutating func validate(_ stale: Made) -> Load {
    let before = known
    learn()
    guard let known, known.copy == stale.entry.copy else {
      if let known, rule(for: known, revalidates: request.policy == .revalidate) != .fresh { leftOut = .otherVersion }
      return imageOnDisk(stale.steps)
    }
    if known != before, case .usable(let freshness) = evaluate(stale.entry) {
      count("validation: by the other process")
      return stale.with(freshness)
    }
    switch exchange(known.condition, mode: .revalidate) {
    case .notModified:
      var current = stale
      current.mayBeStored = !server.control.noStore
      count("validation: 304" + (current.mayBeStored ? "" : " with no-store"))
      note(current.mayBeStored ? known.renewed(by: server) : nil)
      return current.with(.validated)
    case .current(let freshness):
      count("validation: failure, \(freshness) by the HTTP cache")
      return stale.with(freshness)
    case .failed(let failure):
      guard let freshness = known.fallback(at: now, after: failure) else { return receive(.failed(failure)) }
      count("validation: failure, \(freshness)")
      return stale.with(freshness)
    case .body(let response, let freshness, let origin):
      count("validation: 200")
      if response.copy == known.copy, !stale.steps.isEmpty { leftOut = .sameResponseBelow }
      let shorter = stale.steps.indices.dropFirst().map { Array(stale.steps.prefix($0)) }
      if isStaleWanted, shorter.contains(where: { disk.entries[$0] != nil }) { leftOut = .inVain }
      return receive(.body(response, freshness, origin))
    }
  }

  private mutating func fetch() -> Answer {
    if isOffline {
      guard let below else { return .failed(.missing) }
      return .body(below, below.isFresh(at: now) ? .fresh : .stale(.offline), .disk)
    }
    count("fetch")
    return exchange(nil, mode: reads ? request.policy == .revalidate ? .revalidate : .respect : .reload)
  }

  private mutating func receive(_ answer: Answer) -> Load {
    switch answer {
    case .failed(let failure):
      count("failure: \(failure)")
      if hasPolicy, failure == .status(404) || failure == .status(410) { note(nil) }
      return .failure(failure)
    case .body(let response, let freshness, let origin):
      let mayBeStored = !(hasPolicy && response.control.noStore)
      if hasPolicy { note(mayBeStored ? response : nil) }
      if !mayBeStored { count("no-store") }
      return .success(
        Made(
          entry: Entry(version: response.version, copy: response.copy),
          freshness: hasPolicy || setup.hasHTTPCache ? freshness : nil, origin: origin, isReceived: true,
          mayBeStored: mayBeStored))
    case .notModified, .current: preconditionFailure("a 304 without a condition")
    }
  }

  private mutating func store(_ made: Made) {
    guard made.mayBeStored else { return }
    var entry = made.entry
    // An image made from one in memory has the version of that one.
    let copyInMemory = hasPolicy || made.cacheType == .memory ? entry.copy : nil
    if !hasPolicy { entry.copy = nil }
    let isVariant = !request.steps.isEmpty
    if setup.hasDisk, made.isReceived {
      switch setup.storing {
      case .automatic: if !isVariant { disk.entries[[]] = entry }
      case .storeOriginalData, .storeAll: disk.entries[[]] = entry
      case .storeEncodedImages: break
      }
    }
    if request.isData { return }
    // What was found in memory is not stored again, nor is on disk what was found there.
    let place = made.steps == request.steps ? made.foundIn : nil
    if place == .memory { return }
    if setup.hasMemory {
      processes[request.process].memory[request.steps] = Entry(version: entry.version, copy: copyInMemory)
    }
    guard setup.hasDisk, place == nil else { return }
    switch setup.storing {
    case .automatic, .storeAll: if isVariant { disk.entries[request.steps] = entry }
    case .storeEncodedImages: if isVariant || made.cacheType != .disk { disk.entries[request.steps] = entry }
    case .storeOriginalData: break
    }
  }

  // MARK: The server and the HTTP cache

  private enum Answer {
    case body(Response, Freshness, ImageTask.Facts.Origin)
    case notModified
    /// The HTTP cache confirms what the pipeline has, since the server has failed.
    case current(Freshness)
    case failed(Failure)
  }

  private enum Mode { case respect, revalidate, reload }

  /// Sends a request through the HTTP cache, if there is one.
  private mutating func exchange(_ condition: String?, mode: Mode) -> Answer {
    guard setup.hasHTTPCache else { return ask(condition) }
    guard let below, mode != .reload else { return forward(condition, isOwn: false, mode) }
    func stored(_ freshness: Freshness) -> Answer {
      condition != nil && condition == below.condition ? .current(freshness) : .body(below, freshness, .disk)
    }
    switch rule(for: below, revalidates: mode == .revalidate) {
    case .fresh:
      count("HTTP cache: fresh")
      return stored(.fresh)
    case .accepted:
      count("HTTP cache: accepted")
      return stored(.stale(.maxStale))
    case .stale(whileRevalidating: true):
      count("HTTP cache: stale, validated in the background")
      _ = forward(condition ?? below.condition, isOwn: condition == nil, mode)
      return stored(.stale(.whileRevalidating))
    case .stale(whileRevalidating: false):
      return forward(condition ?? below.condition, isOwn: condition == nil && below.condition != nil, mode)
    }
  }

  /// - Parameter isOwn: `true` if the condition is that of the HTTP cache.
  private mutating func forward(_ condition: String?, isOwn: Bool, _ mode: Mode) -> Answer {
    let stored = below
    let answer = ask(condition)
    switch answer {
    case .body(let response, _, _): below = response.control.noStore ? nil : response
    case .notModified:
      guard var renewed = stored, renewed.condition == condition else { break }
      renewed = renewed.renewed(by: server)
      below = renewed.control.noStore ? nil : renewed
      count("HTTP cache: 304")
      if isOwn { return .body(renewed, .validated, .network) }
    case .failed(let failure):
      if failure == .status(404) || failure == .status(410) { below = nil }
      // RFC 9111 §5.2.1.1: a conditional request with this policy has `max-age=0`.
      let hasMaxAge = condition != nil && !isOwn && request.policy == .revalidate && request.maxStale == nil
      guard let stored, mode != .reload, !hasMaxAge, let freshness = stored.fallback(at: now, after: failure) else {
        break
      }
      count("HTTP cache: failure, \(freshness)")
      let isCurrent = condition != nil && !isOwn && condition == stored.condition
      if isCurrent { return .current(freshness) }
      return .body(stored, freshness, failure == .unreachable ? .disk : .network)
    case .current: break
    }
    return answer
  }

  /// RFC 9110 §13.2.2: a condition that holds is answered with 304, any other request with 200.
  private mutating func ask(_ condition: String?) -> Answer {
    outcome.requests.append(condition)
    switch server.state {
    case .unreachable: return .failed(.unreachable)
    case .refusing(let status): return .failed(.status(status))
    case .working: break
    }
    copies += 1
    let response = Response(
      copy: copies, version: server.version, validator: server.validator, control: server.control, validated: now)
    return condition != nil && condition == response.condition ? .notModified : .body(response, .fresh, .network)
  }
}
