public import NukeImaging

/// The image type of this platform.
public typealias PlatformImage = Bitmap
/// The color type of this platform.
public typealias PlatformColor = Color
