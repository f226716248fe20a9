// Every test of this target may use what those of the whole core share.
@_exported public import NukeTestSupport
