@_exported public import NukeBase
@_exported public import NukeCodecs
@_exported public import NukeHTTP
@_exported public import NukeImaging
@_exported public import NukeStore

// Code for Apple's platforms expects to find these types after importing only Foundation and Nuke.
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
