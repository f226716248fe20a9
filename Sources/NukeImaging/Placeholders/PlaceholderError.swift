/// The reason why a hash cannot be computed, parsed or decoded.
public enum PlaceholderError: Error, Sendable, Hashable {
  /// The image has no pixels.
  case emptyImage
  /// The number of components along a side is not from 1 to 9.
  case componentsOutOfRange(x: Int, y: Int)
  /// The length of the hash does not match its header. The unit is characters for a BlurHash, and bytes for a
  /// ThumbHash.
  case wrongLength(expected: Int, found: Int)
  /// A character is not a digit of the hash's alphabet. The position starts at 0.
  case invalidCharacter(Character, position: Int)
  /// A value that no encoder writes. The position is that of its first character or byte, starting at 0.
  case valueOutOfRange(position: Int)
  /// A side of the requested image is not positive, or exceeds `limit`.
  case sizeOutOfRange(width: Int, height: Int, limit: Int)
  /// Memory for the image cannot be allocated.
  case outOfMemory
}

extension PlaceholderError: CustomStringConvertible {
  /// A description of the error: a phrase without a period at its end, so that other messages can contain it.
  public var description: String {
    switch self {
    case .emptyImage: "the image has no pixels"
    case .componentsOutOfRange(let x, let y): "a BlurHash has 1 to 9 components along each side, not \(x)x\(y)"
    case .wrongLength(let expected, let found): "the hash has a length of \(found) instead of \(expected)"
    case .invalidCharacter(let character, let position):
      "the character \(String(character).debugDescription) at position \(position) is not allowed in this hash"
    case .valueOutOfRange(let position): "the value at position \(position) of the hash is out of range"
    case .sizeOutOfRange(let width, let height, let limit):
      "a placeholder has 1 to \(limit) pixels per side, not \(width)x\(height)"
    case .outOfMemory: "out of memory for the placeholder"
    }
  }
}

/// Functions that all placeholders share.
enum Placeholder {
  /// The longest side of a decoded image. More pixels would show no more detail.
  static let longestSide = 1024

  /// Decodes a text and creates a hash from it. An error of `make` becomes a decoding error.
  static func decode<Hash>(_ decoder: any Decoder, _ make: (String) throws -> Hash) throws -> Hash {
    let text = try String(from: decoder)
    do {
      return try make(text)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(error)", underlyingError: error))
    }
  }

  /// Creates an image of a size within the limits, opaque or premultiplied.
  static func bitmap(
    width: Int, height: Int, isOpaque: Bool, fill: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(PlaceholderError) -> Bitmap {
    guard (1...longestSide).contains(width), (1...longestSide).contains(height) else {
      throw .sizeOutOfRange(width: width, height: height, limit: longestSide)
    }
    guard let bitmap = Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: isOpaque, fill: fill) else {
      throw .outOfMemory
    }
    return bitmap
  }
}

extension Bitmap {
  /// Returns the image with its longer side reduced to `side` pixels by area averaging; the image itself if it is
  /// smaller.
  func reduced(to side: Int, light: ResamplingLight) throws(PlaceholderError) -> Bitmap {
    guard pixelWidth > 0 else { throw .emptyImage }
    let longer = max(pixelWidth, pixelHeight)
    guard longer > side else { return self }
    func length(_ pixels: Int) -> Int { max((pixels * side + longer / 2) / longer, 1) }
    let geometry = ResizeGeometry(
      sourceWidth: pixelWidth, sourceHeight: pixelHeight,
      region: .init(x: 0, y: 0, width: Double(pixelWidth), height: Double(pixelHeight)),
      outputWidth: length(pixelWidth), outputHeight: length(pixelHeight))
    guard let reduced = resized(geometry, filter: .area, light: light) else { throw .outOfMemory }
    return reduced
  }
}
