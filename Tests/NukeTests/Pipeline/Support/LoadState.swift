import Nuke

/// A request, and the configuration and the caches of the pipeline that loads it: a row of ``FactsTableTests``.
struct LoadState: CustomStringConvertible {
  enum Kind: CaseIterable { case original, processed, thumbnail, data, dataOfProcessed }
  enum Source: CaseIterable { case server, file, dataURL, dataClosure, imageClosure }

  var kind: Kind
  var source: Source
  var policy: ImagePipeline.DataCachePolicy
  var options: ImageRequest.Options
  /// The entries in memory before the load; `nil` if there is no memory cache.
  var memory: Set<CachedEntry>?
  /// The entries on disk before the load; `nil` if there is no disk cache.
  var disk: Set<CachedEntry>?

  var isData: Bool { kind == .data || kind == .dataOfProcessed }
  /// `true` if the request has processors or a thumbnail.
  var isVariant: Bool { kind != .original && kind != .data }
  var isLocal: Bool { source == .file || source == .dataURL }

  func has(_ entry: CachedEntry) -> Bool { (entry.isOnDisk ? disk : memory)?.contains(entry) == true }

  var description: String {
    func entries(_ entries: Set<CachedEntry>?) -> String {
      guard let entries else { return "none" }
      return "[\(entries.map { "\($0)" }.sorted().joined(separator: ", "))]"
    }
    let optionNames = Self.options.first { $0.value == options }?.key ?? ""
    return "\(kind), \(source), \(policy), \(optionNames), memory \(entries(memory)), disk \(entries(disk))"
  }

  // MARK: The table

  static let policies: [ImagePipeline.DataCachePolicy] = [
    .automatic, .storeOriginalData, .storeEncodedImages, .storeAll,
  ]

  static let options: KeyValuePairs<String, ImageRequest.Options> = [
    "no options": [],
    "disableMemoryCacheReads": .disableMemoryCacheReads,
    "disableMemoryCacheWrites": .disableMemoryCacheWrites,
    "disableMemoryCache": .disableMemoryCache,
    "disableDiskCacheReads": .disableDiskCacheReads,
    "disableDiskCacheWrites": .disableDiskCacheWrites,
    "disableDiskCache": .disableDiskCache,
    "disableMemoryCache and disableDiskCache": [.disableMemoryCache, .disableDiskCache],
    "reloadIgnoringCachedData": .reloadIgnoringCachedData,
    "returnCacheDataDontLoad": .returnCacheDataDontLoad,
  ]

  /// All states of `kind`: each policy, with each of the options, each source, and each combination of caches.
  ///
  /// A cache that has the result also has the original, which must not be used then. For loads of data, the memory cache
  /// is full: it must not be used either.
  static func all(_ kind: Kind) -> [LoadState] {
    var states: [LoadState] = []
    var state = LoadState(kind: kind, source: .server, policy: .automatic, options: [])
    func caches(_ original: CachedEntry, _ result: CachedEntry) -> [Set<CachedEntry>?] {
      [nil, [], [original]] + (state.isVariant ? [[original, result]] : [])
    }
    let memories = caches(.originalInMemory, .resultInMemory)
    for memory in state.isData ? memories.suffix(1) : memories {
      for disk in caches(.originalOnDisk, .resultOnDisk) {
        (state.memory, state.disk) = (memory, disk)
        for source in Source.allCases {
          for policy in policies {
            for (_, options) in options {
              (state.source, state.policy, state.options) = (source, policy, options)
              states.append(state)
            }
          }
        }
      }
    }
    return states
  }
}
