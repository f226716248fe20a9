#if GTK
  import CNukeGTK
  import Foundation
  import NukeGTK
  import NukeTesting
  import XCTest

  /// What is drawn, pixel by pixel; without a display, by cairo.
  final class ImagePaintableTests: XCTestCase {
    func testEachContentModePlacesTheImage() throws {
      try MainActor.assumeIsolated {
        // An image of 40 by 20 in areas that are larger, and narrower, than it is.
        let expected: [(ImageContentMode, width: Int, height: Int, CGRect)] = [
          (.fill, 60, 60, CGRect(x: 0, y: 0, width: 60, height: 60)),
          (.aspectFit, 60, 60, CGRect(x: 0, y: 15, width: 60, height: 30)),
          (.aspectFill, 60, 60, CGRect(x: 0, y: 0, width: 60, height: 60)),
          (.center, 60, 60, CGRect(x: 10, y: 20, width: 40, height: 20)),
          (.scaleDown, 60, 60, CGRect(x: 10, y: 20, width: 40, height: 20)),
          (.fill, 20, 30, CGRect(x: 0, y: 0, width: 20, height: 30)),
          (.aspectFit, 20, 30, CGRect(x: 0, y: 10, width: 20, height: 10)),
          (.aspectFill, 20, 30, CGRect(x: 0, y: 0, width: 20, height: 30)),
          (.center, 20, 30, CGRect(x: 0, y: 5, width: 20, height: 20)),
          (.scaleDown, 20, 30, CGRect(x: 0, y: 10, width: 20, height: 10)),
        ]
        for (mode, width, height, bounds) in expected {
          let paintable = ImagePaintable()
          paintable.show(plain(.red, width: 40, height: 20), contentMode: mode)
          let drawing = try draw(paintable.pointer, width: width, height: height)
          XCTAssertEqual(drawing.bounds, bounds, "\(mode) in \(width)x\(height)")
          XCTAssertEqual(drawing[width / 2, height / 2], Pixel(255, 0, 0))
        }
      }
    }

    func testAnImageThatFillsIsCutOnBothSides() throws {
      try MainActor.assumeIsolated {
        // Three stripes; in a square only the middle one is left, and half of its neighbors.
        let stripes = Bitmap(pixelWidth: 60, pixelHeight: 20, isOpaque: true) { bytes in
          for place in stride(from: 0, to: bytes.count, by: 4) {
            bytes[place + (place / 4) % 60 / 20] = 255
            bytes[place + 3] = 255
          }
        }
        let paintable = ImagePaintable()
        paintable.show(stripes, contentMode: .aspectFill)
        let drawing = try draw(paintable.pointer, width: 40, height: 20)
        XCTAssertEqual(drawing[5, 10], Pixel(255, 0, 0))
        XCTAssertEqual(drawing[20, 10], Pixel(0, 255, 0))
        XCTAssertEqual(drawing[35, 10], Pixel(0, 0, 255))
      }
    }

    func testPixelsAreThoseOfTheImage() throws {
      try MainActor.assumeIsolated {
        let image = SampleImage.bitmap(width: 16, height: 9, isOpaque: false)
        let paintable = ImagePaintable()
        paintable.show(image, contentMode: .center)
        let drawing = try draw(paintable.pointer, width: 16, height: 9)
        XCTAssertEqual(drawing.pixels, image.withUnsafeBytes { rgbaPixels(of: $0) })
      }
    }

    func testOnAFineDisplayEachPixelIsOneOfTheDisplays() throws {
      try MainActor.assumeIsolated {
        let image = SampleImage.bitmap(width: 20, height: 10)
        let paintable = ImagePaintable()
        paintable.displayScale = 2
        paintable.show(image, contentMode: .center)
        XCTAssertEqual(paintable.naturalSize, CGSize(width: 10, height: 5))
        let drawing = try draw(paintable.pointer, width: 10, height: 5, displayScale: 2)
        XCTAssertEqual(drawing.pixels, image.withUnsafeBytes { rgbaPixels(of: $0) })
      }
    }

    func testAnImageThatNamesItsScaleHasThatOnAnyDisplay() {
      MainActor.assumeIsolated {
        let paintable = ImagePaintable()
        paintable.show(SampleImage.bitmap(width: 30, height: 60, scale: 3))
        XCTAssertEqual(paintable.naturalSize, CGSize(width: 10, height: 20))
        XCTAssertEqual(gdk_paintable_get_intrinsic_width(paintable.pointer), 10)
        XCTAssertEqual(gdk_paintable_get_intrinsic_height(paintable.pointer), 20)
        paintable.displayScale = 2
        XCTAssertEqual(paintable.naturalSize, CGSize(width: 10, height: 20))
      }
    }

    func testEdgesLieOnPixelsOfTheDisplay() throws {
      try MainActor.assumeIsolated {
        let paintable = ImagePaintable()
        paintable.show(plain(.blue, width: 10, height: 10), contentMode: .center)
        // The middle is at 7.5, and a blurred edge would be neither blue nor clear.
        let drawing = try draw(paintable.pointer, width: 15, height: 15)
        XCTAssertEqual(Set(drawing.pixels.map(\.alpha)), [0, 255])
      }
    }

    func testInTheMiddleOfAFadeBothAreSeen() throws {
      try MainActor.assumeIsolated {
        let paintable = ImagePaintable()
        paintable.show(plain(.red, width: 10, height: 10), contentMode: .fill)
        paintable.show(plain(.blue, width: 10, height: 10), contentMode: .fill, fades: true)
        XCTAssertTrue(paintable.isFading)
        XCTAssertEqual(try draw(paintable.pointer, width: 10, height: 10)[5, 5], Pixel(255, 0, 0))
        paintable.fade(to: 0.25)
        let middle = try draw(paintable.pointer, width: 10, height: 10)[5, 5]
        XCTAssertTrue(middle.isNear(Pixel(191, 0, 64)), "\(middle)")
        paintable.fade(to: 1)
        XCTAssertFalse(paintable.isFading)
        XCTAssertEqual(try draw(paintable.pointer, width: 10, height: 10)[5, 5], Pixel(0, 0, 255))
      }
    }

    func testAnImageFadesInOverNothing() throws {
      try MainActor.assumeIsolated {
        let paintable = ImagePaintable()
        paintable.show(plain(.green, width: 10, height: 10), contentMode: .fill, fades: true)
        paintable.fade(to: 0.5)
        let middle = try draw(paintable.pointer, width: 10, height: 10)[5, 5]
        XCTAssertTrue(middle.isNear(Pixel(0, 128, 0, 128)), "\(middle)")
      }
    }

    func testEachSideOfAFadeKeepsItsContentMode() throws {
      try MainActor.assumeIsolated {
        let paintable = ImagePaintable()
        paintable.show(plain(.red, width: 4, height: 4), contentMode: .center)
        paintable.show(plain(.blue, width: 4, height: 4), contentMode: .fill, fades: true)
        paintable.fade(to: 0.5)
        let drawing = try draw(paintable.pointer, width: 12, height: 12)
        XCTAssertTrue(drawing[6, 6].isNear(Pixel(128, 0, 128)), "\(drawing[6, 6])")
        XCTAssertTrue(drawing[1, 1].isNear(Pixel(0, 0, 128, 128)), "\(drawing[1, 1])")
      }
    }

    func testATintTakesThePlaceOfTheColours() throws {
      try MainActor.assumeIsolated {
        let paintable = ImagePaintable()
        let half = plain(Color(red: 0.2, green: 0.9, blue: 0.4, alpha: 0.5), width: 8, height: 8)
        paintable.show(half, contentMode: .fill, tintColor: Color(red: 1, green: 0, blue: 0))
        let drawing = try draw(paintable.pointer, width: 8, height: 8)
        XCTAssertTrue(drawing[4, 4].isNear(Pixel(128, 0, 0, 128)), "\(drawing[4, 4])")
      }
    }

    func testShowsNothingUntilThereIsAnImage() throws {
      try MainActor.assumeIsolated {
        let paintable = ImagePaintable()
        XCTAssertNil(try draw(paintable.pointer, width: 5, height: 5).bounds)
        XCTAssertEqual(paintable.naturalSize, .zero)
        paintable.show(plain(.red, width: 5, height: 5))
        paintable.show(nil)
        XCTAssertNil(try draw(paintable.pointer, width: 5, height: 5).bounds)
        paintable.show(Bitmap())
        XCTAssertNil(try draw(paintable.pointer, width: 5, height: 5).bounds)
      }
    }

    func testAnImageOfTheMomentStays() throws {
      try MainActor.assumeIsolated {
        let paintable = ImagePaintable()
        paintable.show(plain(.red, width: 5, height: 5), contentMode: .fill)
        let moment = try XCTUnwrap(gdk_paintable_get_current_image(paintable.pointer))
        defer { g_object_unref(UnsafeMutableRawPointer(moment)) }
        paintable.show(plain(.blue, width: 5, height: 5), contentMode: .fill)
        XCTAssertEqual(try draw(moment, width: 5, height: 5)[2, 2], Pixel(255, 0, 0))
      }
    }

    func testLetsGoOfWhatItShowed() {
      MainActor.assumeIsolated {
        weak var texture: ImageTexture?
        do {
          let paintable = ImagePaintable()
          let image = plain(.red, width: 5, height: 5)
          texture = image.texture
          paintable.show(image)
        }
        XCTAssertNil(texture)
      }
    }
  }
#endif
