import ArgumentParser
import Nuke

/// What is kept on disk between two runs: the options for it, checked against each other.
struct CacheOptions: ParsableArguments {
  /// What of HTTP's caching rules counts.
  enum Policy: String, ExpressibleByArgument, CaseIterable {
    case ignore, respect, revalidate

    var policy: ImagePipeline.FreshnessPolicy {
      switch self {
      case .ignore: .ignore
      case .respect: .respect
      case .revalidate: .revalidate
      }
    }
  }

  /// What of an image is kept.
  enum Stored: String, ExpressibleByArgument, CaseIterable {
    case original, encoded, automatic, all

    var policy: ImagePipeline.DataCachePolicy {
      switch self {
      case .original: .storeOriginalData
      case .encoded: .storeEncodedImages
      case .automatic: .automatic
      case .all: .storeAll
      }
    }
  }

  @Option(
    help: ArgumentHelp(
      "Keep what is loaded from servers in this folder, and look there first. It is made if there is none.",
      valueName: "folder"), completion: .directory)
  var cache: String?

  @Option(
    help: ArgumentHelp(
      """
      What becomes of what servers say of freshness. respect: what is stored is served while it is fresh, and the server \
      is asked about it after that; revalidate: the server is always asked, but for what is fresh and never changes; ignore: what is stored is served, however old. \
      (default: respect)
      """, valueName: "policy"))
  var cachePolicy: Policy?

  @Option(
    help: ArgumentHelp(
      """
      The most that may stay in --cache: bytes, or as 500K, 20M, 1G; what was used longest ago goes. (default: 150 MiB, \
      or what is there already if that is more)
      """, valueName: "bytes"))
  var cacheSize: ByteLimit?

  @Option(
    help: ArgumentHelp(
      """
      What is kept in --cache: the original data; images encoded as they were made; automatic, which is images \
      encoded where something was done to them and else the original; or all of that. (default: original)
      """, valueName: "what"))
  var store: Stored?

  @Option(
    help: ArgumentHelp(
      "Serve what is stored for so long past its freshness without asking, unless the server forbids it.",
      valueName: "seconds"))
  var maxStale: Double?

  @Flag(help: "Ask no server. What is in --cache is served, however old, local files are read, all else fails.")
  var offline = false

  @Flag(help: "Load anew, whatever is in --cache, and keep the new.")
  var reload = false

  func validate() throws {
    if cache == "" { throw ValidationError("--cache needs a folder.") }
    if cache == nil {
      for (name, isGiven) in [
        ("--cache-policy", cachePolicy != nil), ("--cache-size", cacheSize != nil), ("--store", store != nil),
        ("--reload", reload), ("--max-stale", maxStale != nil),
      ] where isGiven {
        throw ValidationError("\(name) needs --cache.")
      }
    }
    if let maxStale, !(maxStale >= 0) { throw ValidationError("--max-stale must be 0 seconds or more.") }
    if maxStale != nil, let cachePolicy, cachePolicy != .respect {
      throw ValidationError("Use one of --max-stale and --cache-policy \(cachePolicy.rawValue).")
    }
    if offline, reload { throw ValidationError("Use one of --offline and --reload.") }
  }

  /// What counts of servers' words on freshness. Without a folder nothing outlives the run, which is to load each image
  /// once.
  var freshnessPolicy: ImagePipeline.FreshnessPolicy {
    cache == nil ? .ignore : (cachePolicy ?? .respect).policy
  }

  /// The switches of each request.
  var requestOptions: ImageRequest.Options {
    offline ? .returnCacheDataDontLoad : reload ? .reloadIgnoringCachedData : []
  }
}
