#if Video
  internal import CNukeVideo
  import Foundation

  /// The distribution of the colors of a frame: 16 classes for each of red, green and blue.
  struct ColorHistogram {
    /// The fraction of the pixels in each class.
    private var classes = [Double](repeating: 0, count: 48)

    /// Counts the pixels of a frame, reduced to 64 x 64.
    init(_ frame: DecodedFrame, _ format: ImageFormat) throws(CodecError) {
      let side = 64
      let pixels = try frame.converted(to: AV_PIX_FMT_RGBA, width: side, height: side, format)
      defer { withExtendedLifetime(pixels) {} }
      for y in 0..<side {
        let row = pixels.frame.pointee.data.0! + y * Int(pixels.frame.pointee.linesize.0)
        for x in 0..<side {
          for channel in 0..<3 { classes[channel * 16 + Int(row[x * 4 + channel] >> 4)] += 1 / Double(side * side) }
        }
      }
    }

    /// Returns the index of the histogram that is closest to the mean of all; the first one of several.
    static func indexOfMostRepresentative(_ histograms: [ColorHistogram]) -> Int {
      let means = (0..<48).map { index in
        histograms.reduce(0) { $0 + $1.classes[index] } / Double(max(histograms.count, 1))
      }
      let distances = histograms.map { histogram in
        zip(histogram.classes, means).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
      }
      return distances.indices.min { distances[$0] < distances[$1] } ?? 0
    }
  }
#endif
