#if GTK
  import Nuke

  /// The origins of images, and the results of loads.
  struct LoadCounts: Equatable {
    var memory = 0
    var disk = 0
    var network = 0
    /// Images from files, closures and `data:` URLs.
    var local = 0
    /// Loads that joined a running load.
    var coalesced = 0
    var cancelled = 0
    var failed = 0
    /// Prefetched images.
    var ahead = 0
    /// Bytes received over the network.
    var byteCount = 0

    enum Outcome { case shown, ahead, cancelled, failed }

    /// Counts the outcome of a load.
    mutating func count(
      _ outcome: Outcome, from origin: ImageTask.Facts.Origin?, isCoalesced: Bool = false, byteCount: Int = 0
    ) {
      if isCoalesced { coalesced += 1 }
      if origin == .network { self.byteCount += byteCount }
      switch outcome {
      case .cancelled: cancelled += 1
      case .failed: failed += 1
      case .ahead:
        // Cached images were not prefetched.
        if origin == .network { ahead += 1 }
      case .shown:
        switch origin {
        case .memory: memory += 1
        case .disk: disk += 1
        case .network: network += 1
        case .file, .inline, .closure: local += 1
        case nil: break
        }
      }
    }

    /// The number of images that were shown.
    var shown: Int { memory + disk + network + local }
  }
#endif
