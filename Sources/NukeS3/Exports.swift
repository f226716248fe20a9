// Clients of this module need the types of Nuke.
@_exported public import Nuke
