#if GTK
  import CNukeGTK
  import NukeGTK
  import NukeTesting
  import XCTest

  final class ImageTextureTests: XCTestCase {
    func testShowsThePixelsWithoutACopy() throws {
      let bitmap = SampleImage.bitmap(width: 7, height: 5, isOpaque: false)
      let texture = try XCTUnwrap(bitmap.texture)
      XCTAssertEqual(texture.pixelWidth, 7)
      XCTAssertEqual(texture.pixelHeight, 5)
      XCTAssertEqual(downloaded(texture.pointer), bitmap.withUnsafeBytes { rgbaPixels(of: $0) })
    }

    func testIsOneForAnImage() throws {
      let bitmap = SampleImage.bitmap(width: 2, height: 2)
      XCTAssertTrue(try XCTUnwrap(bitmap.texture) === bitmap.texture)
      XCTAssertNil(Bitmap().texture)
    }

    func testIsReleasedWithTheImage() {
      weak var texture: ImageTexture?
      do {
        let bitmap = SampleImage.bitmap(width: 2, height: 2)
        texture = bitmap.texture
        XCTAssertNotNil(texture)
        withExtendedLifetime(bitmap) {}
      }
      XCTAssertNil(texture)
    }

    func testPixelsOutliveTheImageWhileGTKShowsThem() throws {
      weak var buffer: PixelBuffer?
      let pixels: [Pixel]
      let pointer: OpaquePointer
      do {
        let bitmap = SampleImage.bitmap(width: 3, height: 3)
        buffer = bitmap.buffer
        pointer = try XCTUnwrap(bitmap.texture).pointer
        g_object_ref(UnsafeMutableRawPointer(pointer))
        pixels = bitmap.withUnsafeBytes { rgbaPixels(of: $0) }
      }
      XCTAssertEqual(downloaded(pointer), pixels)
      XCTAssertNotNil(buffer)
      g_object_unref(UnsafeMutableRawPointer(pointer))
      XCTAssertNil(buffer)
    }

    func testThreadsThatAskAtOnceGetTheSame() {
      let bitmap = SampleImage.bitmap(width: 2, height: 2)
      let found = Lock<Set<ObjectIdentifier>>([])
      DispatchQueue.concurrentPerform(iterations: 64) { _ in
        guard let texture = bitmap.texture else { return }
        found.withLock { _ = $0.insert(ObjectIdentifier(texture)) }
      }
      XCTAssertEqual(found.withLock { $0.count }, 1)
    }
  }
#endif
