#if Server
  // Whoever uses this uses that.
  @_exported public import NukeServing
#endif
