// Every test of this target may use what those of all transports and of the whole core share.
@_exported public import NukeLoaderSuite
@_exported public import NukeTestSupport
