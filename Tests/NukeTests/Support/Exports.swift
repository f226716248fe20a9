// Every test of this target may use what those of all transports share.
@_exported public import NukeLoaderSuite
