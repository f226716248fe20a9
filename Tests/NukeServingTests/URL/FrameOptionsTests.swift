import Testing

@testable import NukeServing

@Suite("Options for frames of videos and animations in URLs")
struct FrameOptionsTests {
  @Test("The time of a video's frame is parsed")
  func videoSecond() throws {
    #expect(try options("vts:2") == ImageOptions { $0.videoSecond = 2 })
    #expect(try options("video_thumbnail_second:0.5").videoSecond == 0.5)
    #expect(try options("eth:1").usesThumbnail == true && options("enforce_thumbnail:0").usesThumbnail == false)
    #expect(try options("eth:1/eth:").usesThumbnail == nil)
    #expect(try options("vts:2/vts:").videoSecond == 0)
    #expect(throws: ServingError.self) { try options("vts:-1") }
  }

  @Test("Frames of a video are parsed, and their number is limited")
  func videoFrames() throws {
    #expect(
      try options("vtt:2:3:4:160:90").videoFrames
        == .init(.tiles(columns: 3, rows: 4), step: 2, width: 160, height: 90))
    var frames = ImageOptions.VideoFrames(.animation(count: 5, delay: 200), step: -1, width: 160, height: 0)
    (frames.extends, frames.trims, frames.fills, frames.focus) = (true, true, true, .init(0.25, 0.75))
    #expect(try options("vta:-1:200:5:160:0:1:1:1:0.25:0.75").videoFrames == frames)
    #expect(try options("video_thumbnail_animation:0.5:200:5") == options("vta:0.5:200:5"))
    #expect(try options("vtt:-20:1:1").videoFrames?.step == -1)
    #expect(try options("video_thumbnail_tile:1:2:2/vtt:0").videoFrames == nil)
    for text in [
      "vtt:1", "vtt:1:0:1", "vtt:1:16:17", "vta:1:100:257", "vtt:1:1:1:-1", "vtt:1:2:2:3:4:0:0:1:2:0",
      "vta:1:60001:1",
    ] {
      #expect(throws: ServingError.self) { try options(text) }
    }
  }

  @Test("Pages are parsed")
  func pages() throws {
    #expect(try options("pg:2/pgs:3/da:1") == options("page:2/pages:3/disable_animation:t"))
    #expect(
      try options("pg:2/pgs:3/da:1")
        == ImageOptions {
          ($0.page, $0.pageCount, $0.disablesAnimation) = (2, 3, true)
        })
    #expect(try options("pg:2/pg:/pgs:3/pgs:/da:1/da:") == ImageOptions())
    for text in ["pg:-1", "pg:x", "pgs:0", "pgs:99999999999", "da:1:1"] {
      #expect(throws: ServingError.self) { try options(text) }
    }
  }
}
