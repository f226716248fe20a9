#if GTK
  // A program that shows images calls GTK itself.
  @_exported public import CNukeGTK
  @_exported public import Nuke
#endif
