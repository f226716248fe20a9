import Testing

@testable import NukeServing

@Suite("Options for sizes and places in URLs")
struct GeometryOptionsTests {
  @Test("resize and size set what they name, and leave the rest unchanged")
  func named() throws {
    #expect(try options("rt:fill/rs::300") == options("rt:fill/w:300"))
    #expect(try options("h:200/rs:fill:300") == options("rt:fill/w:300/h:200"))
    #expect(try options("el:1/ex:1/rs:fit:300:200") == options("rs:fit:300:200:1:1"))
    #expect(try options("el:1/ex:1/s:300:200:0:0") == options("s:300:200"))
    #expect(try options("pr:default/rs:fit:30", presets: ["default": "el:1"]).enlarges)
  }

  @Test("resize has the arguments type, size, enlarging and extending")
  func resize() throws {
    #expect(
      try options("rs:fill:300:400:1:1:no:0:10")
        == ImageOptions {
          $0.resizing = .fill
          $0.width = 300
          $0.height = 400
          $0.enlarges = true
          $0.extend = .init(.north, offset: .init(0, 10))
        })
    #expect(try options("resize::300") == ImageOptions { $0.width = 300 })
    #expect(try options("s:20:30") == options("w:20/h:30"))
    #expect(try options("size:20:30:t") == options("width:20/height:30/el:true"))
    for type in ImageOptions.Resizing.allCases {
      #expect(try options("rt:\(type.rawValue)").resizing == type)
    }
  }

  @Test("Lengths less than one, offsets and focus points are fractions")
  func places() throws {
    #expect(
      try options("c:0.5:100:fp:0.25:0.75").crop
        == .init(width: 0.5, height: 100, gravity: .init(.focusPoint, offset: .init(0.25, 0.75))))
    #expect(try options("c:10:20").crop?.gravity == nil)
    #expect(try options("c:0:0").crop == nil)
    #expect(try options("g:sowe:-5:0.1").gravity == .init(.southWest, offset: .init(-5, 0.1)))
    #expect(try options("g:sm").gravity.place == .smart)
  }

  @Test("The sides of padding are in the order of CSS")
  func padding() throws {
    #expect(try options("pd:10").padding == .init(top: 10, right: 10, bottom: 10, left: 10))
    #expect(try options("pd:10:20").padding == .init(top: 10, right: 20, bottom: 10, left: 20))
    #expect(try options("pd::20").padding == .init(top: 0, right: 20, bottom: 0, left: 20))
    #expect(try options("pd:1:2:3:4").padding == .init(top: 1, right: 2, bottom: 3, left: 4))
    #expect(try options("pd:0").padding == nil)
  }

  @Test("Rotations are multiples of 90°, in both directions")
  func rotations() throws {
    #expect(try options("rot:450").rotation == 90)
    #expect(try options("rot:-90").rotation == 270)
    #expect(try options("fl:1").flipsHorizontally)
    #expect(try options("fl:0:t") == ImageOptions { $0.flipsVertically = true })
    #expect(try !options("ar:0").autoRotates)
  }
}
