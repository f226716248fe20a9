import Foundation
import NukeCodecs
import NukeImaging

/// Feeds a file to an incremental reader as a download would: in pieces, asking for a preview behind each.
struct IncrementalFeed {
  var previews: [IncrementalPreview] = []
  /// What the last call threw, if it did.
  var error: CodecError?
  var reader: (any IncrementalImageReader)?
  /// How many bytes had come when each preview was made.
  var byteCounts: [Int] = []

  init(
    _ data: Data, chunk: Int, limits: CodecLimits = .init(),
    previewPixelLimit: Int = IncrementalReaders.defaultPreviewPixelLimit
  ) {
    var count = 0
    while count < data.count {
      count = min(count + chunk, data.count)
      // An allocation of its own, and another one each time: what is kept of the last one is found by a sanitizer, and
      // by the pixels.
      let sofar = Data(Array(data.prefix(count)))
      do throws(CodecError) {
        if reader == nil {
          reader = try IncrementalReaders.reader(
            forPrefix: sofar, limits: limits, previewPixelLimit: previewPixelLimit)
        }
        reader?.update(sofar)
        if let preview = try reader?.nextPreview() {
          previews.append(preview)
          byteCounts.append(count)
        }
      } catch {
        self.error = error
        return
      }
    }
  }
}

extension Bitmap {
  /// Peak signal-to-noise ratio against another image of the same size, over all four channels, in decibels; `nil` if
  /// sizes differ.
  func psnr(against other: Bitmap) -> Double? {
    guard pixelWidth == other.pixelWidth, pixelHeight == other.pixelHeight else { return nil }
    let squares = withUnsafeBytes { left in
      other.withUnsafeBytes { right in
        var sum = 0
        for index in left.indices {
          let difference = Int(left[index]) - Int(right[index])
          sum += difference * difference
        }
        return sum
      }
    }
    return squares == 0 ? .infinity : 10 * log10(255 * 255 * Double(byteCount) / Double(squares))
  }
}

/// The sizes of pieces that files are fed in.
let feedChunks = [1, 7, 64, 1000]
