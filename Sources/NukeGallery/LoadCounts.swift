#if GTK
  import Nuke

  /// Where images came from, and how their loads ended.
  struct LoadCounts: Equatable {
    var memory = 0
    var disk = 0
    var network = 0
    /// From files and closures, and out of addresses that hold their data.
    var local = 0
    /// Loads that found their work under way.
    var coalesced = 0
    var cancelled = 0
    var failed = 0
    /// Images that were fetched before they were seen.
    var ahead = 0
    /// Bytes that came over the network.
    var byteCount = 0

    enum End { case shown, ahead, cancelled, failed }

    /// Notes the end of a load.
    mutating func count(_ end: End, from origin: ImageTask.Facts.Origin?, isCoalesced: Bool = false, byteCount: Int = 0)
    {
      if isCoalesced { coalesced += 1 }
      if origin == .network { self.byteCount += byteCount }
      switch end {
      case .cancelled: cancelled += 1
      case .failed: failed += 1
      case .ahead:
        // What was there already was not fetched.
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

    /// All images that were shown.
    var shown: Int { memory + disk + network + local }
  }
#endif
