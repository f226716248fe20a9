#if GTK
  // Programs also call GTK directly.
  @_exported public import CNukeGTK
  @_exported public import Nuke
#endif
