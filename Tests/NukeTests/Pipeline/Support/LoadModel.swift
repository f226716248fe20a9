import Nuke

/// What can be seen of a load from outside. Entries are called "original" and "result". An image is written as its size,
/// and data as "loaded" if it came from the source, or "stored" if it was on disk before the load.
struct LoadOutcome: Equatable {
  typealias Reason = ImageTask.Facts.NotCachedReason

  var result = "dataMissingInCache"
  var cacheType: ImageResponse.CacheType?
  var origin: ImageTask.Facts.Origin?
  var notCachedInMemory: Reason? = .nothingLoaded
  var notCachedOnDisk: Reason? = .nothingLoaded
  /// The entries after the load.
  var memory: [String: String] = [:]
  var disk: [String: String] = [:]
  var memoryWrites = 0
  var diskReads: [String] = []
  var diskWrites: [String] = []
  /// The calls of the data loader or the closure.
  var sourceCalls = 0
  var processorCalls = 0
}

/// The rules of caching, as the documentation states them. It calls nothing of the pipeline.
struct LoadModel {
  typealias Reason = LoadOutcome.Reason

  let state: LoadState
  /// The places where the load looks, in order.
  private let lookups: [CachedEntry]
  /// The entry that the load uses; `nil` if it loads from the source.
  private let found: CachedEntry?

  init(_ state: LoadState) {
    self.state = state
    lookups = Self.lookups(state)
    found = lookups.first { state.has($0) }
  }

  // MARK: Where the image comes from

  /// The result is looked up before the original, and the memory before the disk.
  private static func lookups(_ state: LoadState) -> [CachedEntry] {
    let places: [CachedEntry] =
      switch state.kind {
      case .original: [.originalInMemory, .originalOnDisk]
      case .processed: [.resultInMemory, .resultOnDisk, .originalInMemory, .originalOnDisk]
      // It is made while the original is decoded, so not from an image in memory. An image from a closure has no data.
      case .thumbnail: [.resultInMemory, .resultOnDisk] + (state.source == .imageClosure ? [] : [.originalOnDisk])
      case .data, .dataOfProcessed: state.source == .imageClosure ? [] : [.originalOnDisk]
      }
    return places.filter { place in
      // The data of a local source is never copied to the disk cache.
      if place == .originalOnDisk, state.isLocal { return false }
      return place.isOnDisk
        ? state.disk != nil && !state.options.contains(.disableDiskCacheReads)
        : state.memory != nil && !state.options.contains(.disableMemoryCacheReads)
    }
  }

  /// An image from a closure has no data. A cache-only request reads local sources, but calls no loader and no closure.
  private var isMissing: Bool {
    guard found == nil else { return false }
    return state.isData && state.source == .imageClosure
      || state.options.contains(.returnCacheDataDontLoad) && !state.isLocal
  }

  /// `true` if nothing has to be made of the entry: it is the result, or the original was requested.
  private var isResultFound: Bool {
    found == .resultInMemory || found == .resultOnDisk || found != nil && (!state.isVariant || state.isData)
  }

  private var origin: ImageTask.Facts.Origin {
    if let found { return found.isOnDisk ? .disk : .memory }
    return switch state.source {
    case .server: .network
    case .file: .file
    case .dataURL: .inline
    case .dataClosure, .imageClosure: .closure
    }
  }

  // MARK: Where it is stored

  private var notCachedInMemory: Reason? {
    if state.isData { return .bytesAlone }
    if isResultFound, found?.isOnDisk == false { return .cameFromCache }
    if state.options.contains(.disableMemoryCacheWrites) { return .disabledByOption }
    return state.memory == nil ? .noCache : nil
  }

  /// The reason why the data of the original is not stored on disk.
  private var originalNotStored: Reason? {
    if found != nil { return .cameFromCache }
    if state.isLocal { return .localSource }
    if state.source == .imageClosure { return .policy }
    if state.disk == nil { return .noCache }
    if state.options.contains(.disableDiskCacheWrites) { return .disabledByOption }
    switch state.policy {
    case .automatic: return state.isVariant ? .policy : nil
    case .storeOriginalData, .storeAll: return nil
    case .storeEncodedImages: return .policy
    }
  }

  /// The reason why the encoded image is not stored on disk. Data is not encoded.
  private var encodedNotStored: Reason? {
    if isResultFound { return .cameFromCache }
    let isEncoded =
      switch state.policy {
      case .automatic, .storeAll: state.isVariant
      case .storeOriginalData: false
      // The original of a local source would be copied.
      case .storeEncodedImages: state.isVariant || !state.isLocal
      }
    if state.isData { return .policy }
    if state.disk == nil { return .noCache }
    if state.options.contains(.disableDiskCacheWrites) { return .disabledByOption }
    return isEncoded ? nil : .policy
  }

  /// One of the two suffices. If there is none, the reason is the original's, unless that is the policy.
  private var notCachedOnDisk: Reason? {
    guard let original = originalNotStored, let encoded = encodedNotStored else { return nil }
    return original == .policy ? encoded : original
  }

  // MARK: The outcome

  /// The source has an image of 8x2 pixels. Processing makes it 7 pixels wide, and a thumbnail is half as large.
  private var result: String {
    if state.isData { return found == nil ? "loaded" : "stored" }
    let (width, height) = found.map(Self.size) ?? (8, 2)
    if isResultFound || state.kind == .original { return "\(width)x\(height)" }
    return state.kind == .thumbnail ? "\(width / 2)x\(height / 2)" : "7x\(height)"
  }

  /// The size of the image of an entry, which tells it from the others.
  static func size(_ entry: CachedEntry) -> (width: Int, height: Int) {
    switch entry {
    case .originalInMemory: (8, 6)
    case .originalOnDisk: (8, 4)
    case .resultInMemory, .shorterChainInMemory: (1, 1)
    case .resultOnDisk: (1, 2)
    }
  }

  private func name(_ entry: CachedEntry) -> String {
    entry == .originalInMemory || entry == .originalOnDisk ? "original" : "result"
  }

  var outcome: LoadOutcome {
    var outcome = LoadOutcome()
    for entry in state.memory ?? [] {
      let (width, height) = Self.size(entry)
      outcome.memory[name(entry)] = "\(width)x\(height)"
    }
    for entry in state.disk ?? [] { outcome.disk[name(entry)] = "stored" }
    let looked = lookups.prefix((lookups.firstIndex { state.has($0) } ?? lookups.count - 1) + 1)
    outcome.diskReads = looked.filter(\.isOnDisk).map(name)
    if isMissing { return outcome }
    let resultName = state.isVariant ? "result" : "original"
    outcome.result = result
    outcome.cacheType = found.map { $0.isOnDisk ? .disk : .memory }
    outcome.origin = origin
    outcome.notCachedInMemory = notCachedInMemory
    outcome.notCachedOnDisk = notCachedOnDisk
    if notCachedInMemory == nil {
      outcome.memory[resultName] = result
      outcome.memoryWrites = 1
    }
    if originalNotStored == nil {
      outcome.disk["original"] = "loaded"
      outcome.diskWrites.append("original")
    }
    if encodedNotStored == nil {
      outcome.disk[resultName] = result
      outcome.diskWrites.append(resultName)
    }
    outcome.sourceCalls = found == nil && !state.isLocal ? 1 : 0
    outcome.processorCalls = state.kind == .processed && !isResultFound ? 1 : 0
    return outcome
  }
}
