#if Redis
  // Whoever uses this uses that.
  @_exported public import Nuke
#endif
