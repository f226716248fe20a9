import NukeImaging

/// The rows of an image in the format in which a PNG stores them.
final class PNGLayout {
  let form: PNGForm

  private let pixels: UnsafeBufferPointer<UInt32>
  private let width: Int
  /// The palette indices of all pixels if colors were reduced. Otherwise, indices are computed for each row.
  private var indices: [UInt8] = []
  /// One row of straight RGBA, or of unpacked samples.
  private var scratch: [UInt8]

  /// Creates the rows in a format that can store all pixels.
  ///
  /// - Parameter pixels: premultiplied RGBA, which must outlive the layout.
  init(_ pixels: UnsafeBufferPointer<UInt32>, width: Int, form: PNGForm) {
    self.pixels = pixels
    self.width = width
    self.form = form
    scratch = [UInt8](repeating: 0, count: width * 4)
  }

  /// Creates the rows in the smallest format that stores every pixel exactly.
  convenience init(_ pixels: UnsafeBufferPointer<UInt32>, width: Int) {
    var contents = PNGForm.Contents()
    contents.add(pixels, width: width)
    self.init(pixels, width: width, form: PNGForm(contents, width: width, rowCount: pixels.count / width))
  }

  /// Creates the rows with a palette of at most `colorCount` colors, 2...256, to which the pixels are reduced.
  convenience init(_ pixels: UnsafeBufferPointer<UInt32>, width: Int, colorCount: Int, isDithered: Bool) {
    let premultiplied = Array(pixels)
    let hasTransparent = premultiplied.contains(0)
    var chosen = ColorPalette(for: premultiplied, limit: colorCount - (hasTransparent ? 1 : 0))
    // Transparent pixels have their own index after the others.
    let transparent = UInt8(truncatingIfNeeded: chosen.colors.count)
    let indices = chosen.indices(of: premultiplied, width: width, transparent: transparent, isDithered: isDithered)
    let form = PNGForm(colors: chosen.colors + (hasTransparent ? [0] : []))
    self.init(pixels, width: width, form: form)
    self.indices = indices.map(form.place)
  }

  /// Writes the row at `y` as the file stores it, before filtering.
  func fill(_ row: UnsafeMutablePointer<UInt8>, y: Int) {
    fill(row, from: UnsafeBufferPointer(rebasing: pixels[y * width..<(y + 1) * width]), y: y)
  }

  /// Writes a row of premultiplied RGBA as the file stores it. `y` is only used if colors were reduced.
  func fill(_ row: UnsafeMutablePointer<UInt8>, from source: UnsafeBufferPointer<UInt32>, y: Int = 0) {
    let bytes = UnsafeRawPointer(source.baseAddress!).assumingMemoryBound(to: UInt8.self)
    scratch.withUnsafeMutableBufferPointer { scratch in
      let scratch = scratch.baseAddress!
      let bitDepth = form.bitDepth
      switch form.colorType {
      case .gray:
        let samples = bitDepth == 8 ? row : scratch
        for x in 0..<width { samples[x] = bytes[x &* 4] >> (8 &- bitDepth) }
      case .grayAlpha:
        PixelKernels.best.unpremultiply(bytes, to: scratch, count: width)
        for x in 0..<width {
          row[x &* 2] = scratch[x &* 4]
          row[x &* 2 &+ 1] = scratch[x &* 4 &+ 3]
        }
      case .rgb:
        PixelKernels.dropAlpha(bytes, to: row, count: width)
      case .rgbAlpha:
        PixelKernels.best.unpremultiply(bytes, to: row, count: width)
      case .indexed:
        fillIndices(bitDepth == 8 ? row : scratch, source, y: y)
      }
      if bitDepth < 8 { pack(scratch, to: row) }
    }
  }

  private func fillIndices(_ samples: UnsafeMutablePointer<UInt8>, _ source: UnsafeBufferPointer<UInt32>, y: Int) {
    guard indices.isEmpty else {
      for x in 0..<width { samples[x] = indices[y * width + x] }
      return
    }
    // Most pixels equal the previous one.
    var (last, place) = (source[0], form.index(of: source[0]))
    for x in 0..<width {
      if source[x] != last {
        last = source[x]
        place = form.index(of: last)
      }
      samples[x] = place
    }
  }

  /// Packs samples of less than a byte, the first one in the most significant bits.
  private func pack(_ samples: UnsafeMutablePointer<UInt8>, to row: UnsafeMutablePointer<UInt8>) {
    let bits = Int(form.bitDepth)
    let perByte = 8 / bits
    for index in 0..<(width + perByte - 1) / perByte {
      var byte: UInt8 = 0
      for position in 0..<perByte where index * perByte + position < width {
        byte |= samples[index * perByte + position] << UInt8(8 - bits * (position + 1))
      }
      row[index] = byte
    }
  }
}
