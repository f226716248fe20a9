@_exported public import Nuke
