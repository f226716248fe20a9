#if Server
  import Dispatch
  import Nuke
  import NukeS3

  #if Redis
    import NukeRedis
  #endif

  /// A store that writes what it is given behind the caller.
  protocol WritingBehind: DataCaching {
    /// Returns when all is written, or given up.
    func flush()
  }

  extension DataCache: WritingBehind {}
  extension S3DataCache: WritingBehind {}
  #if Redis
    extension RedisDataCache: WritingBehind {}
  #endif

  extension ServerParts {
    /// Has the stores write what they were given, for so many seconds at most, so that a server that ends loses nothing.
    static func flush(_ stores: [any DataCaching], seconds: Double) async {
      let stores = stores.compactMap { $0 as? any WritingBehind }
      await withCheckedContinuation { continuation in
        let queue = DispatchQueue(label: "nuke.serve.flushing", attributes: .concurrent)
        queue.async {
          let group = DispatchGroup()
          for store in stores { queue.async(group: group) { store.flush() } }
          _ = group.wait(timeout: .now() + seconds)
          continuation.resume()
        }
      }
    }
  }
#endif
