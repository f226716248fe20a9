import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Hostile shapes")
struct HostileShapeTests {
  @Test("A small file that asks for much is stopped by a limit before the work is done", arguments: HostileShape.all)
  func isStopped(_ shape: HostileShape) throws {
    let data = try shape.data()
    #expect(data.count < 4 << 20)
    let result = Result {
      let reader = try ImageReaders.reader(for: data)
      _ = try reader.decode(DecodeOptions())
      _ = try reader.animation()
    }
    switch (result, shape.outcome) {
    case (.success, .read): break
    case (.failure(let error as CodecError), .rejected(let words)): #expect("\(error)".contains(words))
    default: Issue.record("\(result)")
    }
  }

  @Test("There are rows for every format")
  func formats() {
    // MP4, MOV and WebM have one reader.
    let formats = Set(ImageFormat.readable).subtracting([.mov, .webm])
    #expect(formats.subtracting(HostileShape.all.map(\.format)) == [])
  }
}
