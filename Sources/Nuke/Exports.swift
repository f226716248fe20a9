@_exported public import NukeCodecs
@_exported public import NukeImaging

// What code that imports Foundation and Nuke alone expects to find, as on Apple's systems.
@_exported public import class FoundationNetworking.CachedURLResponse
@_exported public import class FoundationNetworking.HTTPCookie
@_exported public import class FoundationNetworking.HTTPCookieStorage
@_exported public import class FoundationNetworking.HTTPURLResponse
@_exported public import class FoundationNetworking.URLAuthenticationChallenge
@_exported public import class FoundationNetworking.URLCache
@_exported public import class FoundationNetworking.URLCredential
@_exported public import class FoundationNetworking.URLProtectionSpace
@_exported public import class FoundationNetworking.URLProtocol
@_exported public import protocol FoundationNetworking.URLProtocolClient
@_exported public import struct FoundationNetworking.URLRequest
@_exported public import class FoundationNetworking.URLResponse
@_exported public import class FoundationNetworking.URLSession
@_exported public import class FoundationNetworking.URLSessionConfiguration
@_exported public import protocol FoundationNetworking.URLSessionDataDelegate
@_exported public import class FoundationNetworking.URLSessionDataTask
@_exported public import protocol FoundationNetworking.URLSessionDelegate
@_exported public import class FoundationNetworking.URLSessionTask
@_exported public import protocol FoundationNetworking.URLSessionTaskDelegate
