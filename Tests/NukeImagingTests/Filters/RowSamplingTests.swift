import Foundation
import NukeImaging
import Testing

@Suite("Resizing rows that arrive from top to bottom")
struct RowSamplingTests {
  private static let filters: [ResamplingFilter] = [.lanczos3, .triangle, .area, .nearest, .gaussian(sigma: 1.7)]

  /// The image that a sampler returns for rows in bands of `bandHeight` rows.
  private func sampled(_ image: Bitmap, _ sampling: RowSampling, bandHeight: Int) throws -> [UInt8] {
    let sampler = try #require(RowSampler(sampling))
    var result: [UInt8] = []
    for top in stride(from: 0, to: image.pixelHeight, by: bandHeight) {
      let height = min(bandHeight, image.pixelHeight - top)
      // A buffer that contains only the band, so that a sanitizer detects reads outside of it.
      let band = try #require(PixelBuffer(width: image.pixelWidth, height: height))
      image.withUnsafeBytes { pixels in
        let rows = pixels[(top * image.bytesPerRow)...].prefix(band.byteCount)
        band.bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: rows))
      }
      sampler.receive(band.base, count: height) { row in
        result += UnsafeBufferPointer(start: row, count: sampling.outputWidth * 4)
      }
    }
    return result
  }

  private func cropped(_ image: Bitmap, _ crop: RowSampling.Crop) throws -> Bitmap {
    let columns = image.bytes(ofColumns: crop.x..<crop.x + crop.width)
    let pixels = columns[crop.y * crop.width * 4..<(crop.y + crop.height) * crop.width * 4]
    return try SampleImages.bitmap(crop.width, crop.height, isOpaque: image.isOpaque, pixels: Array(pixels))
  }

  @Test("The pixels equal those of resizing the whole image, with every filter", arguments: filters)
  func equalsWholeImage(filter: ResamplingFilter) throws {
    var random = SeededGenerator(seed: 3)
    for index in 0..<60 {
      let (width, height) = (Int.random(in: 1...70, using: &random), Int.random(in: 1...70, using: &random))
      let image = try SampleImages.noise(width, height, isOpaque: index % 2 == 0, random: &random)
      let region = ResizeGeometry.Region(
        x: Double.random(in: 0...Double(width) / 3, using: &random),
        y: Double.random(in: 0...Double(height) / 3, using: &random), width: Double(width) / 2,
        height: Double(height) / 2)
      let geometry = ResizeGeometry(
        sourceWidth: width, sourceHeight: height,
        region: index % 3 == 0 ? region : .init(x: 0, y: 0, width: Double(width), height: Double(height)),
        outputWidth: index % 5 == 0 ? width : .random(in: 1...90, using: &random),
        outputHeight: index % 7 == 0 ? height : .random(in: 1...90, using: &random))
      let whole = try #require(image.resized(geometry, filter: filter))
      let sampling = try #require(
        RowSampling(sourceWidth: width, sourceHeight: height, geometry: geometry, filter: filter))
      for bandHeight in [1, 3, 16, 70] {
        let rows = try sampled(image, sampling, bandHeight: bandHeight)
        try #require(rows == whole.bytes, "\(width)x\(height), \(geometry), bands of \(bandHeight) rows")
      }
    }
  }

  @Test("A crop is applied before the resize, so that pixels outside do not affect the result")
  func crop() throws {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<40 {
      let (width, height) = (Int.random(in: 4...50, using: &random), Int.random(in: 4...50, using: &random))
      let image = try SampleImages.noise(width, height, isOpaque: false, random: &random)
      let (x, y) = (Int.random(in: 0..<width, using: &random), Int.random(in: 0..<height, using: &random))
      let crop = RowSampling.Crop(
        x: x, y: y, width: .random(in: 1...width - x, using: &random),
        height: .random(in: 1...height - y, using: &random))
      let part = try cropped(image, crop)
      let unscaled = try #require(RowSampling(sourceWidth: width, sourceHeight: height, crop: crop))
      #expect(try sampled(image, unscaled, bandHeight: 5) == part.bytes)

      let geometry = ResizeGeometry(
        sourceWidth: crop.width, sourceHeight: crop.height,
        region: .init(x: 0, y: 0, width: Double(crop.width), height: Double(crop.height)),
        outputWidth: .random(in: 1...60, using: &random), outputHeight: .random(in: 1...60, using: &random))
      let sampling = try #require(
        RowSampling(sourceWidth: width, sourceHeight: height, crop: crop, geometry: geometry))
      try #require(
        try sampled(image, sampling, bandHeight: 5) == #require(part.resized(geometry)).bytes,
        "\(crop) of \(width)x\(height), \(geometry)")
    }
  }

  @Test("A crop that is not within the image has no plan")
  func cropOutside() {
    for (x, y, width, height) in [(-1, 0, 2, 2), (0, 0, 11, 2), (0, 3, 2, 8), (Int.max, 0, 1, 1), (0, 0, 0, 1)] {
      let crop = RowSampling.Crop(x: x, y: y, width: width, height: height)
      #expect(RowSampling(sourceWidth: 10, sourceHeight: 10, crop: crop) == nil)
    }
  }

  @Test("Memory does not grow with the height of the image at the same reduction")
  func memory() throws {
    let counts = try [8_000, 800_000].map { height in
      let geometry = ResizeGeometry(
        sourceWidth: 12_000, sourceHeight: height,
        region: .init(x: 0, y: 0, width: 12_000, height: Double(height)), outputWidth: 3_000, outputHeight: height / 4)
      return try #require(RowSampling(sourceWidth: 12_000, sourceHeight: height, geometry: geometry)).byteCount
    }
    // The weights take about 50 bytes for each row of the result; its pixels would take 12,000.
    #expect(counts[1] - counts[0] < 200_000 * 100)
    #expect(counts[0] < 2 << 20)
  }
}
