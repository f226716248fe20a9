/// Why an image has no hash, or a text is none.
public enum PlaceholderError: Error, Sendable, Hashable {
  /// The image has no pixels.
  case emptyImage
  /// A BlurHash has 1 to 9 components along each side.
  case componentsOutOfRange(x: Int, y: Int)
  /// The hash begins by saying how long it is: characters of a BlurHash, bytes of a ThumbHash.
  case wrongLength(expected: Int, found: Int)
  /// A character that is no digit of the hash's alphabet, counted from 0.
  case invalidCharacter(Character, position: Int)
  /// A number that no encoder writes; `position` is that of its first character or byte, counted from 0.
  case valueOutOfRange(position: Int)
  /// The image asked for has a side of no pixels, or of more than `limit`.
  case sizeOutOfRange(width: Int, height: Int, limit: Int)
  /// The system has no memory for the image.
  case outOfMemory
}

extension PlaceholderError: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String {
    switch self {
    case .emptyImage: "the image has no pixels"
    case .componentsOutOfRange(let x, let y): "a BlurHash has 1 to 9 components along each side, not \(x)x\(y)"
    case .wrongLength(let expected, let found): "the hash has a length of \(found) where it should be \(expected)"
    case .invalidCharacter(let character, let position):
      "the character \(String(character).debugDescription) at position \(position) does not occur in such a hash"
    case .valueOutOfRange(let position): "the value at position \(position) of the hash is larger than any can be"
    case .sizeOutOfRange(let width, let height, let limit):
      "a placeholder has 1 to \(limit) pixels a side, not \(width)x\(height)"
    case .outOfMemory: "there is no memory for the placeholder"
    }
  }
}

/// What all placeholders share.
enum Placeholder {
  /// The longest side of a decoded one. It has no detail to show in so many pixels.
  static let longestSide = 1024

  /// The hash of a decoded text; an error of `make` is one of the data.
  static func decode<Hash>(_ decoder: any Decoder, _ make: (String) throws -> Hash) throws -> Hash {
    let text = try String(from: decoder)
    do {
      return try make(text)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(error)", underlyingError: error))
    }
  }

  /// An opaque or premultiplied image of a size within bounds.
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
  /// The image with its longer side reduced to `side` pixels, by means over what each covers; itself where it is
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
