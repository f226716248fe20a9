internal import Foundation
internal import NukeCodecs
internal import NukeImaging

/// Encodes images as sixels: six lines at a time, and one color at a time.
///
/// See the VT330/VT340 Programmer Reference Manual, volume 2, chapter 14.
enum SixelGraphics {
  /// Returns the bytes that draw an image at the cursor. Pixels with less than half alpha are not drawn.
  static func show(_ image: Bitmap) throws(CodecError) -> Data {
    let pixels = try GIFPixels(image)
    let (width, height) = (pixels.width, pixels.height)
    let hasTransparent = pixels.pixels.contains(0)
    var palette = ColorPalette(for: pixels.pixels, limit: hasTransparent ? 255 : 256)
    let transparent = UInt8.max
    let places = palette.indices(of: pixels.pixels, width: width, transparent: transparent, isDithered: true)

    var writer = Writer()
    writer.text("\u{1B}P0;1q\"1;1;\(width);\(height)")
    for (place, color) in palette.colors.enumerated() {
      let percents = [color & 255, color >> 8 & 255, color >> 16 & 255].map { ($0 * 100 + 127) / 255 }
      writer.text("#\(place);2;\(percents[0]);\(percents[1]);\(percents[2])")
    }
    // The sixels of each color in the band, and its last column.
    var band = [UInt8](repeating: 0, count: 256 * width)
    var ends = [Int](repeating: 0, count: 256)
    for top in stride(from: 0, to: height, by: 6) {
      for y in top..<min(top + 6, height) {
        let bit = UInt8(1) << UInt8(y - top)
        for x in 0..<width {
          let place = places[y * width + x]
          if hasTransparent, place == transparent { continue }
          band[Int(place) * width + x] |= bit
          ends[Int(place)] = max(ends[Int(place)], x + 1)
        }
      }
      var isFirst = true
      for place in ends.indices where ends[place] > 0 {
        if !isFirst { writer.byte(UInt8(ascii: "$")) }
        isFirst = false
        writer.text("#\(place)")
        writer.sixels(band[place * width..<place * width + ends[place]])
        for index in place * width..<place * width + ends[place] { band[index] = 0 }
        ends[place] = 0
      }
      writer.byte(UInt8(ascii: "-"))
    }
    writer.text("\u{1B}\\")
    return Data(writer.bytes)
  }

  private struct Writer {
    var bytes: [UInt8] = []

    mutating func byte(_ byte: UInt8) { bytes.append(byte) }
    mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Writes runs of equal sixels as a count and one sixel, if that is shorter.
    mutating func sixels(_ sixels: ArraySlice<UInt8>) {
      var start = sixels.startIndex
      while start < sixels.endIndex {
        var end = start + 1
        while end < sixels.endIndex, sixels[end] == sixels[start] { end += 1 }
        let (count, sixel) = (end - start, sixels[start] + 63)
        if count > 3 {
          byte(UInt8(ascii: "!"))
          text("\(count)")
          byte(sixel)
        } else {
          for _ in 0..<count { byte(sixel) }
        }
        start = end
      }
    }
  }
}
