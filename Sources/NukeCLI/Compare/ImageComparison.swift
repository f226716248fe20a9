import Foundation
import Nuke

/// How much two images of the same size differ. Transparent pixels count as white.
struct ImageComparison {
  let width: Int
  let height: Int
  /// The structural similarity; see `Bitmap.structuralSimilarity(to:)`.
  let similarity: Double
  /// The peak signal-to-noise ratio of red, green and blue in decibels; `nil` for equal images.
  let signalToNoise: Double?
  /// The number of pixels that differ.
  let differingCount: Int
  /// The largest difference of a channel, from 0 to 255.
  let largestDifference: Int
  /// The pixels that differ, on the first image in faint gray; see ``shown(difference:of:)``.
  let difference: PlatformImage

  /// Returns `nil` if the sizes differ.
  init?(_ one: PlatformImage, _ other: PlatformImage) {
    guard let similarity = one.structuralSimilarity(to: other) else { return nil }
    let (width, height) = (one.pixelWidth, one.pixelHeight)
    var (squares, count, largest) = (0, 0, 0)
    let difference = PlatformImage(pixelWidth: width, pixelHeight: height, isOpaque: true) { result in
      one.withUnsafeBytes { one in
        other.withUnsafeBytes { other in
          for pixel in stride(from: 0, to: result.count, by: 4) {
            // The images are premultiplied.
            let (white, otherWhite) = (255 - Int(one[pixel + 3]), 255 - Int(other[pixel + 3]))
            var most = 0
            for channel in pixel..<pixel + 3 {
              let distance = abs(Int(one[channel]) + white - Int(other[channel]) - otherWhite)
              squares += distance * distance
              most = max(most, distance)
            }
            let color = (Int(one[pixel]) + white, Int(one[pixel + 1]) + white, Int(one[pixel + 2]) + white)
            let shown = Self.shown(difference: most, of: color)
            (result[pixel], result[pixel + 1], result[pixel + 2], result[pixel + 3]) = (shown.0, shown.1, shown.2, 255)
            largest = max(largest, most)
            if most > 0 { count += 1 }
          }
        }
      }
    }
    guard let difference else { return nil }
    self.width = width
    self.height = height
    self.similarity = similarity
    self.difference = difference
    differingCount = count
    largestDifference = largest
    let mean = Double(squares) / Double(width * height * 3)
    signalToNoise = squares == 0 ? nil : 10 * log10(255 * 255 / mean)
  }

  /// Returns the color that shows a pixel.
  ///
  /// A pixel that differs is red: from light red for a difference of 1 to full red from 16 on, so that no difference is too
  /// small to be seen. Another pixel is gray, from 192 where the image is black to 255 where it is white.
  ///
  /// - Parameter difference: the largest difference of a channel.
  private static func shown(
    difference: Int, of color: (red: Int, green: Int, blue: Int)
  ) -> (UInt8, UInt8, UInt8) {
    guard difference == 0 else {
      let rest = UInt8(176 - 11 * min(difference, 16))
      return (255, rest, rest)
    }
    // The weights of Rec. 709, in parts of 256.
    let luma = min((54 * color.red + 183 * color.green + 19 * color.blue) >> 8, 255)
    let gray = UInt8(255 - (255 - luma) / 4)
    return (gray, gray, gray)
  }

  var lines: [String] {
    let share = Double(differingCount) / Double(width * height) * 100
    let noise = signalToNoise.map { String(format: "%.2f dB", $0) } ?? "infinite"
    return [
      "Size        \(width)x\(height)", "SSIM        " + String(format: "%.5f", similarity), "PSNR        \(noise)",
      "Differing   \(differingCount) pixels (" + String(format: "%.2f", share) + " %)",
      "Difference  \(largestDifference) of 255 at most",
    ]
  }

  var json: JSON {
    .members([
      "width": .integer(width), "height": .integer(height), "ssim": .number(similarity),
      "psnr": signalToNoise.map(JSON.number) ?? .null, "differingPixels": .integer(differingCount),
      "largestDifference": .integer(largestDifference),
    ])
  }
}
