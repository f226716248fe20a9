#if SVG
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @testable import NukeServing

  @Suite("Vector images in responses")
  struct SVGRenditionTests {
    /// The left half red, the right half blue.
    private let halves = Data(
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="10" height="20" shape-rendering="crispEdges">
      <rect width="5" height="20" fill="#f00"/><rect x="5" width="5" height="20" fill="#00f"/></svg>
      """.utf8)

    private func drawing(_ ask: (inout ImageOptions) -> Void) async throws -> Bitmap {
      try Rendering.image(try await Rendering.render(halves, ask))
    }

    @Test("An SVG is sent as pixels, even if a raw file is requested", arguments: [true, false])
    func pixels(isRaw: Bool) async throws {
      let file = try await Rendering.render(halves) {
        $0.isRaw = isRaw
        $0.skippedFormats = [.svg]
      }
      // Every pixel is covered, so that nothing is transparent.
      #expect(file.contentType == "image/png")
      #expect(try Rendering.image(file).size == [10, 20])
      #expect(try await Rendering.render(halves, as: .jpeg).contentType == "image/jpeg")
      let clear = Data(#"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>"#.utf8)
      #expect(try await Rendering.render(clear) { $0.isRaw = isRaw }.contentType == "image/png")
    }

    @Test("A style sheet changes the drawing, also a compressed one, and no other image")
    func styles() async throws {
      let sheet = "rect:first-of-type { fill: #0f0 } a>b,c&d<e { fill: red }"
      let image = try await drawing { $0.style = "rect { fill: #0f0 }" }
      // Presentation attributes have less weight than any sheet.
      for x in [0, 9] { #expect(image.pixel(x, 10) == [0, 255, 0, 255]) }
      let quoted = Data(
        #"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4" id="a>b"><rect width="4" height="4"/></svg>"#
          .utf8)
      let other = try await Rendering.render(quoted) { $0.style = "rect { fill: #00f }" }
      #expect(try Rendering.image(other).pixel(2, 2) == [0, 0, 255, 255])
      // The compressed drawing is a red square.
      let square = try await Rendering.render(Self.compressed) { $0.style = "rect { fill: #00f }" }
      #expect(try Rendering.image(square).pixel(2, 2) == [0, 0, 255, 255])
      let png = try Rendering.encoded(.even(.red, 4, 4), as: .png)
      #expect(try await Rendering.render(png) { $0.style = sheet } == Rendering.render(png))
      let empty = Data(#"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>"#.utf8)
      #expect(try await Rendering.render(empty) { $0.style = sheet } == Rendering.render(empty))
    }

    @Test("A style sheet cannot end its element, or load anything")
    func hostileStyles() async throws {
      let plain = try await Rendering.render(halves)
      for sheet in ["</style><rect width='10' height='20'/><style>", "]]></style><rect width='10' height='20'/>"] {
        #expect(try await Rendering.render(halves) { $0.style = sheet } == plain, "\(sheet)")
      }
      let imported = try? await Rendering.render(halves) { $0.style = "@import url(file:///etc/passwd);" }
      #expect(imported == nil || imported == plain)
    }

    /// `gzip.compress` of Python for a drawing of 4 by 4 pixels in red, with a script.
    private static let compressed = Data(
      base64Encoded: "H4sIAAAAAAACA22MSw6DMAwFrxJ5VTY4fFbIyV0qCEmk0CLHqjk+IHXJ7mk086j+ojm28qkOksg+Iapqq0P75Yi9tRYvA4zm"
        + "RZKDEUwKOSa5p6c6c97Fv0tgeXUN4R8Qh1keG7PmUhxwWAA93d/+BEzX46uDAAAA")!
    private static let script =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"4\"><script>alert(1)</script>"
      + "<rect width=\"4\" height=\"4\" fill=\"red\"/></svg>"

    @Test("A compressed SVG is sent as pixels, even if a raw file is requested")
    func compressed() async throws {
      for isRaw in [true, false] {
        let file = try await Rendering.render(Self.compressed) {
          $0.isRaw = isRaw
          $0.skippedFormats = [.svg]
        }
        #expect(file.contentType == "image/png")
        #expect(try Rendering.image(file).pixelBytes == Bitmap.even(.red, 4, 4).pixelBytes)
      }
    }

    @Test("A server that sends SVG sends a compressed one without the compression, which its media type does not name")
    func sent() async throws {
      var settings = RenderSettings()
      settings.sendsSVG = true
      let file = try await Rendering.render(Self.compressed, with: Renderer(settings: settings)) { $0.isRaw = true }
      #expect(file == RenderedFile(data: Data(Self.script.utf8), contentType: "image/svg+xml"))
      var limits = RenderLimits()
      limits.maximumResultBytes = Self.compressed.count
      await #expect(throws: ServingError.self) {
        try await Rendering.render(Self.compressed, with: Renderer(limits: limits, settings: settings)) {
          $0.isRaw = true
        }
      }
      await #expect(throws: ServingError.self) {
        try await Rendering.render(Self.compressed.dropLast(), with: Renderer(settings: settings)) { $0.isRaw = true }
      }
    }

    @Test("A drawing that states a size above the limits is drawn at a smaller one, and rejected at its own")
    func largeSize() async throws {
      let text =
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4e5 4e5'><rect width='4e5' height='4e5'/></svg>"
      let drawing = Data(text.utf8)
      let image = try Rendering.image(try await Rendering.render(drawing) { $0.width = 128 })
      #expect(image.pixelBytes == Bitmap.even(.black, 128, 128).pixelBytes)
      await #expect(throws: ServingError.self) { try await Rendering.render(drawing) }
      await #expect(throws: ServingError.self) {
        try await Rendering.render(drawing) {
          $0.width = 128
          $0.trim = .init(threshold: 10)
        }
      }
    }

    @Test("An SVG is drawn at the requested size")
    func sharp() async throws {
      let image = try Rendering.image(
        try await Rendering.render(halves, as: .png) {
          $0.width = 100
          $0.dpr = 2
        })
      #expect(image.size == [200, 400])
      let expected = Bitmap.painted(200, 400) { x, _ in x < 100 ? .red : .blue }
      #expect(image.pixelBytes == expected.pixelBytes)
    }

    @Test("Filling, rotation and cropping use an SVG drawn at the right size")
    func parts() async throws {
      let filled = try Rendering.image(
        try await Rendering.render(halves, as: .png) {
          $0.resizing = .fill
          ($0.width, $0.height) = (30, 30)
        })
      #expect(filled.pixelBytes == Bitmap.painted(30, 30) { x, _ in x < 15 ? .red : .blue }.pixelBytes)
      let turned = try Rendering.image(
        try await Rendering.render(halves, as: .png) {
          $0.rotation = 90
          $0.width = 40
        })
      #expect(turned.pixelBytes == Bitmap.painted(40, 20) { _, y in y < 10 ? .red : .blue }.pixelBytes)
      let cropped = try Rendering.image(
        try await Rendering.render(halves, as: .png) {
          $0.crop = .init(width: 5, height: 5, gravity: .init(.northEast))
          $0.width = 50
        })
      #expect(cropped.pixelBytes == Bitmap.even(.blue, 50, 50).pixelBytes)
    }

    @Test("An SVG that would be too large is rejected")
    func limits() async {
      await #expect(throws: ServingError.self) { try await drawing { $0.width = 100_000 } }
    }

    @Test("Smart gravity and trimming work with SVG")
    func smart() async throws {
      let border = Data(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" shape-rendering="crispEdges">
        <rect x="10" y="5" width="20" height="10" fill="#00f"/></svg>
        """.utf8)
      let trimmed = try Rendering.image(
        try await Rendering.render(border, as: .png) { $0.trim = .init(threshold: 10) })
      #expect(trimmed.pixelBytes == Bitmap.even(.blue, 20, 10).pixelBytes)
    }
  }
#endif
