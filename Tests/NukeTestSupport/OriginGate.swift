package import NukeOrigin

/// The gate of the origin's scripts, in files that also see that of the fakes, which has the same name.
package typealias OriginGate = Gate
