#if Server
  import NukeOrigin

  /// `NukeTesting` has a gate of its own.
  typealias OriginGate = Gate
#endif
