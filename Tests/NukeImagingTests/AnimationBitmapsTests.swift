import NukeImaging
import Testing

@Suite("An animation of bitmaps")
struct AnimationBitmapsTests {
  private func bitmap(_ width: Int, _ value: UInt8) throws -> Bitmap {
    try #require(Bitmap(pixelWidth: width, pixelHeight: 2) { for index in $0.indices { $0[index] = value } })
  }

  @Test("It has the given frames and delays each time that it is read")
  func frames() throws {
    let bitmaps = try [1, 2, 3].map { try bitmap(4, $0) }
    let animation = try #require(Animation(frames: bitmaps, delays: [0.5, -1, .nan], loopCount: 2))
    #expect(animation.pixelWidth == 4 && animation.pixelHeight == 2)
    #expect(animation.loopCount == 2)
    #expect(animation.delays == [0.5, 0, 0])
    let frames = try animation.frames()
    for _ in 0..<2 {
      for bitmap in bitmaps { #expect(try frames.next()?.image === bitmap) }
      #expect(try frames.next() == nil)
      try frames.rewind()
    }
    #expect(Animation(frames: bitmaps, delays: [1, 1, 1], loopCount: -3)?.loopCount == 0)
  }

  @Test("It needs at least one frame, equal sizes, no empty frames, and a delay for each")
  func refused() throws {
    let frame = try bitmap(4, 1)
    #expect(Animation(frames: [], delays: []) == nil)
    #expect(Animation(frames: [Bitmap()], delays: [1]) == nil)
    #expect(try Animation(frames: [frame, bitmap(5, 1)], delays: [1, 1]) == nil)
    #expect(Animation(frames: [frame], delays: [1, 1]) == nil)
  }
}
