@_exported public import NukeCodecs
@_exported public import NukeImaging

// What code that imports Foundation and Nuke alone expects to find, as on Apple's systems.
@_exported public import class FoundationNetworking.HTTPURLResponse
@_exported public import struct FoundationNetworking.URLRequest
@_exported public import class FoundationNetworking.URLResponse
