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
  /// The differences of all channels.
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
              result[channel] = UInt8(min(distance, 255))
              squares += distance * distance
              most = max(most, distance)
            }
            result[pixel + 3] = 255
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
