import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("JPEG reader")
struct JPEGReaderTests {
  @Test("It decodes every type of file to the pixels of other programs", arguments: JPEGFixture.all)
  func pixels(_ fixture: JPEGFixture) throws {
    let image = try JPEGReader(data: fixture.data()).decode()
    #expect(image.pixelWidth == fixture.width)
    #expect(image.pixelHeight == fixture.height)
    #expect(image.isOpaque)
    #expect(image.hasOnlyOpaquePixels)
    let difference = try #require(PixelDifference(image, rgb: JPEGFixture.bytes("\(fixture.reference).rgb")))
    #expect(difference.largest <= fixture.tolerance)
  }

  @Test("It reads the header of each file", arguments: JPEGFixture.all)
  func header(_ fixture: JPEGFixture) throws {
    let header = try JPEGReader(data: fixture.data()).header
    #expect(header.format == .jpeg)
    #expect(header.pixelWidth == fixture.width)
    #expect(header.pixelHeight == fixture.height)
    #expect(header.isProgressive == (fixture.progressive ?? false))
    #expect(header.orientation.rawValue == fixture.orientation ?? 1)
    #expect(header.colorModel.rawValue == fixture.model ?? "rgb")
    #expect(header.profileName == fixture.profile)
    #expect(header.bitsPerComponent == 8)
    #expect(!header.hasAlpha)
    #expect(header.frameCount == 1)
  }

  @Test(
    "It decodes at 1/2, 1/4 and 1/8 with djpeg's pixels",
    arguments: ["s444", "s420", "s411", "gray", "s420-progressive"], [2, 4, 8])
  func scales(_ name: String, _ denominator: Int) throws {
    let reader = try JPEGReader(data: JPEGFixture.data(name))
    let image = try reader.decode(.init(scaleDenominator: denominator))
    let size = reader.pixelSize(scaleDenominator: denominator)
    #expect(image.pixelWidth == size.width)
    #expect(image.pixelHeight == size.height)
    let reference = try JPEGFixture.bytes("\(name)-scale-\(denominator).rgb")
    #expect(try #require(PixelDifference(image, rgb: reference)).largest <= 1)
  }

  @Test("It applies the orientation at every scale", arguments: 1...8, [1, 2, 4, 8])
  func orientationAndScale(_ number: Int, _ denominator: Int) throws {
    let reader = try JPEGReader(data: JPEGFixture.data("orientation-\(number)"))
    let image = try reader.decode(.init(scaleDenominator: denominator))
    let size = reader.pixelSize(scaleDenominator: denominator)
    #expect(image.pixelWidth == size.width)
    #expect(image.pixelHeight == size.height)
  }

  @Test("A scale that the format does not support is rejected")
  func unknownScale() throws {
    let reader = try JPEGReader(data: JPEGFixture.data("s420"))
    #expect(throws: CodecError.unsupported(.jpeg, feature: "a reduction to 1/3")) {
      try reader.decode(.init(scaleDenominator: 3))
    }
  }

  @Test("It returns the thumbnail that a camera embedded", arguments: ["camera-II", "camera-MM"])
  func thumbnail(_ name: String) throws {
    let thumbnail = try #require(try JPEGReader(data: JPEGFixture.data(name)).embeddedThumbnail)
    #expect(try thumbnail == JPEGFixture.bytes("thumbnail.bin"))
    #expect(try JPEGReader(data: thumbnail).decode().pixelWidth == 16)
  }

  @Test("It has no thumbnail if none is embedded")
  func noThumbnail() throws {
    #expect(try JPEGReader(data: JPEGFixture.data("s420")).embeddedThumbnail == nil)
  }

  @Test("It checks for cancellation during its work", arguments: [false, true])
  func cancellationInTheMiddle(_ isProgressive: Bool) throws {
    let image = try #require(
      Bitmap(pixelWidth: 64, pixelHeight: 4000, isOpaque: true) { $0.initializeMemory(as: UInt8.self, repeating: 255) })
    let reader = try JPEGReader(data: JPEGWriter(isProgressive: isProgressive).encode(image))
    let asked = CallCounter()
    #expect(throws: CodecError.cancelled(.jpeg)) { try reader.decode(.init(isCancelled: { asked.next() == 4 })) }
    #expect(asked.count == 4)
  }

  @Test("It is chosen by the content of the file")
  func registration() throws {
    #expect(try ImageReaders.reader(for: JPEGFixture.data("s420")) is JPEGReader)
  }

  @Test("It states the memory of the coefficients of an image with several scans")
  func workingMemory() throws {
    #expect(try JPEGReader(data: JPEGFixture.data("s420")).workingByteCount == 0)
    // 43x29 in 4:2:0: 3x2 units of six blocks, of 64 coefficients in two bytes.
    for name in ["s420-progressive", "three-scans"] {
      #expect(try JPEGReader(data: JPEGFixture.data(name)).workingByteCount == 3 * 2 * 6 * 64 * 2)
    }
  }
}
