// A file that imports this module alone sees today's names as well, and these before them.
@_exported public import Nuke

// What code that imports Foundation and version 4 alone expects to find, as on Apple's systems.
@_exported public import class FoundationNetworking.CachedURLResponse

/// The image type of this platform.
public typealias Image = PlatformImage
