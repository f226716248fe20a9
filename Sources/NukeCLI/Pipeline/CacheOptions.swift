import ArgumentParser
import Nuke

/// What is kept on disk between two runs: the options for it, checked against each other.
struct CacheOptions: ParsableArguments {
  /// What of HTTP's caching rules counts.
  enum Policy: String, ExpressibleByArgument, CaseIterable {
    /// None of it: what is stored is served until there is no room for it any more.
    case ignore
  }

  /// What of a picture is kept.
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
      What servers say of freshness. ignore, the only value yet: what is stored is served, however old, until there is \
      no room for it any more; see --reload. (default: ignore)
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
      What is kept in --cache: the original data; pictures encoded as they were made; automatic, which is pictures \
      encoded where something was done to them and else the original; or all of that. (default: original)
      """, valueName: "what"))
  var store: Stored?

  @Flag(help: "Ask no server. What is in --cache is served, local files are read, all else fails.")
  var offline = false

  @Flag(help: "Load anew, whatever is in --cache, and keep the new.")
  var reload = false

  func validate() throws {
    if cache == "" { throw ValidationError("--cache needs a folder.") }
    if cache == nil {
      for (name, isGiven) in [
        ("--cache-policy", cachePolicy != nil), ("--cache-size", cacheSize != nil), ("--store", store != nil),
        ("--reload", reload),
      ] where isGiven {
        throw ValidationError("\(name) needs --cache.")
      }
    }
    if offline, reload { throw ValidationError("Use one of --offline and --reload.") }
  }

  /// The switches of each request.
  var requestOptions: ImageRequest.Options {
    offline ? .returnCacheDataDontLoad : reload ? .reloadIgnoringCachedData : []
  }
}
