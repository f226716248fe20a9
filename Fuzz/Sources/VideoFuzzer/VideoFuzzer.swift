import Fuzzing
import Nuke

/// Reads the video, and selects posters by time and by colors.
@c(LLVMFuzzerTestOneInput)
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(bytes, count) { data in
    read(data, with: VideoReader.self)
    guard let reader = try? VideoReader(data: data, limits: .fuzzing) else { return }
    for frame in [PosterFrame.time(0.7), .representative(of: 4)] {
      do {
        let image = try reader.decode(DecodeOptions(posterFrame: frame))
        expect(
          image.pixelWidth == reader.header.pixelWidth && image.pixelHeight == reader.header.pixelHeight,
          "a poster of \(image.pixelWidth)x\(image.pixelHeight) pixels")
      } catch {
        expect(error is CodecError, "an error that is no CodecError: \(error)")
      }
    }
  }
}
