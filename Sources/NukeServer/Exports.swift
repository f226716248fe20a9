#if Server
  // Clients of this module need the types of NukeServing.
  @_exported public import NukeServing
#endif
