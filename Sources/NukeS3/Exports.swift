// Whoever uses this uses that.
@_exported public import Nuke
