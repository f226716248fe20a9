#if GTK
  // A program that shows pictures calls GTK itself.
  @_exported public import CNukeGTK
  @_exported public import Nuke
#endif
