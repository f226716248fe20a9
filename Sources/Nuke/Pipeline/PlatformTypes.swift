public import NukeImaging

/// The picture type of this platform.
public typealias PlatformImage = Bitmap
/// The colour type of this platform.
public typealias PlatformColor = Color
