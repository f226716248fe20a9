#if AVIF
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Loops of AVIF sequences")
  struct AVIFLoopTests {
    @Test(
      "The edit list says how often a sequence is played, and without one it is played for ever",
      arguments: [
        ("sequence", 0), ("loop-once", 1), ("loop-twice", 2), ("loop-thrice", 3), ("loop-forever", 0),
        ("loop-endless", 0),
      ])
    func loops(_ name: String, _ count: Int) throws {
      let data = try Data(contentsOf: Fixtures.file("AVIF/\(name).avif"))
      let reader = try AVIFReader(data: data, limits: CodecLimits())
      #expect(reader.header.loopCount == count)
      #expect(try AVIFReader.header(ofPrefix: data)?.loopCount == count)
      let animation = try #require(try reader.animation())
      #expect(animation.loopCount == count && animation.frameCount == 4)
      let frames = try animation.frames()
      while try frames.next() != nil {}
    }

    @Test("Damaged edit lists give a count all the same")
    func damage() throws {
      let data = try Data(contentsOf: Fixtures.file("AVIF/loop-twice.avif"))
      for name in ["tkhd", "elst", "edts"] {
        let start = try #require(data.range(of: Data(name.utf8))).lowerBound
        for offset in start - 4..<start + 44 {
          for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
            var damaged = data
            damaged[offset] = value
            guard let reader = try? AVIFReader(data: damaged, limits: CodecLimits()) else { continue }
            #expect(reader.header.loopCount >= 0)
          }
        }
      }
    }
  }
#endif
