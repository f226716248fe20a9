/// The traits of the package.
package enum PackageTraits {
  /// The traits that this build has, in the order of `Package.swift`.
  package static let enabled: [String] = {
    var traits: [String] = []
    #if AVIF
      traits.append("AVIF")
    #endif
    #if HEIC
      traits.append("HEIC")
    #endif
    #if JPEGXL
      traits.append("JPEGXL")
    #endif
    #if TIFF
      traits.append("TIFF")
    #endif
    #if SVG
      traits.append("SVG")
    #endif
    #if Video
      traits.append("Video")
    #endif
    #if AsyncHTTPClient
      traits.append("AsyncHTTPClient")
    #endif
    #if Terminal
      traits.append("Terminal")
    #endif
    #if GTK
      traits.append("GTK")
    #endif
    #if Redis
      traits.append("Redis")
    #endif
    #if Server
      traits.append("Server")
    #endif
    #if Combine
      traits.append("Combine")
    #endif
    #if Command
      traits.append("Command")
    #endif
    return traits
  }()
}
