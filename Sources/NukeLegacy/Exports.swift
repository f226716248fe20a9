// A file that imports only this module also sees Nuke's names. Names of this module take precedence.
@_exported public import Nuke

// On Apple's platforms, Foundation contains this class.
@_exported public import class FoundationNetworking.CachedURLResponse

/// The image type of this platform.
public typealias Image = PlatformImage
