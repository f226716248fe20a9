import Foundation
import Nuke
import NukeCodecs
import NukeLoaderSuite
import NukeTesting
import Testing

@testable import NukeServing

@Suite("Hostile sources")
struct HostileSourceTests {
  private func failure(
    _ data: Data, limits: RenderLimits = RenderLimits(), _ ask: (inout ImageOptions) -> Void = { $0.width = 8 }
  ) async -> ServingError? {
    do throws(ServingError) {
      _ = try await Rendering.render(data, with: Renderer(limits: limits), ask)
      return nil
    } catch {
      return error
    }
  }

  /// Errors that say the source is at fault.
  private func isRefused(_ error: ServingError?) -> Bool { error?.status == 422 }

  @Test(
    "A truncated image is rejected or rendered partially, without a crash",
    arguments: [ImageFormat.jpeg, .png, .webp, .gif, .bmp])
  func truncated(format: ImageFormat) async throws {
    let data = try Rendering.encoded(SampleImage.bitmap(width: 40, height: 30), as: format)
    for count in stride(from: 0, to: data.count, by: max(data.count / 40, 1)) {
      let error = await failure(data.prefix(count))
      #expect(error == nil || isRefused(error), "\(count) bytes: \(String(describing: error))")
    }
    #expect(isRefused(await failure(data.prefix(20))))
  }

  @Test(
    "Damaged data is rejected or rendered, without a crash", arguments: [ImageFormat.jpeg, .png, .webp, .gif, .bmp])
  func damaged(format: ImageFormat) async throws {
    let data = try Rendering.encoded(SampleImage.bitmap(width: 40, height: 30), as: format)
    var numbers = SeededGenerator(seed: 3)
    for _ in 0..<60 {
      var damaged = data
      for _ in 0..<8 {
        damaged[Int.random(in: 0..<data.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
      }
      let error = await failure(damaged)
      #expect(error == nil || isRefused(error), "\(String(describing: error))")
    }
  }

  @Test("A header that states billions of pixels is rejected before memory is allocated")
  func bombs() async throws {
    // The screen of a GIF, and the frame of a JPEG.
    var gif = try Rendering.encoded(SampleImage.bitmap(width: 4, height: 4), as: .gif)
    for place in 6..<10 { gif[place] = 0xFF }
    var jpeg = SampleImage.jpeg(width: 16, height: 16)
    let frame = try #require(jpeg.range(of: Data([0xFF, 0xC0]))).lowerBound
    for place in frame + 5..<frame + 9 { jpeg[place] = 0xFF }
    var bmp = try Rendering.encoded(SampleImage.bitmap(width: 4, height: 4), as: .bmp)
    for place in [19, 23] { bmp[place] = 0x70 }
    for data in [gif, jpeg, bmp] {
      let error = await failure(data)
      guard case .tooLarge? = error else { throw Unexpected(error) }
      let refusal = #expect(throws: ServingError.self) { try Renderer().facts(of: data) }
      #expect(refusal?.status == 422)
    }
  }

  @Test("A GIF with a hundred thousand frames is rejected")
  func frames() async throws {
    var gif = Data(Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0]
    for _ in 0..<100_000 { gif.append(contentsOf: frame) }
    gif.append(0x3B)
    let error = await failure(gif)
    guard case .tooLarge? = error else { throw Unexpected(error) }
    // Of a few hundred, the first ones are sent.
    let few = gif.prefix(19 + 300 * frame.count) + Data([0x3B])
    let file = try await Rendering.render(few)
    #expect(try ImageReaders.reader(for: file.data).header.frameCount == 250)
  }

  @Test("Sources, results and files have limits")
  func limits() async throws {
    let data = SampleImage.png(width: 40, height: 30)
    var limits = RenderLimits()
    limits.maximumSourceBytes = data.count
    #expect(await failure(data, limits: limits) == nil)
    limits.maximumSourceBytes -= 1
    #expect(isRefused(await failure(data, limits: limits)))
    #expect(isRefused(await failure(data, limits: limits) { $0.isRaw = true }))
    limits = RenderLimits()
    limits.source.maximumPixelCount = 1199
    #expect(isRefused(await failure(data, limits: limits)))
    limits = RenderLimits()
    limits.maximumResultPixels = 1199
    #expect(isRefused(await failure(data, limits: limits) { _ in }))
    #expect(await failure(data, limits: limits) == nil)
    limits = RenderLimits()
    limits.maximumResultBytes = 100
    #expect(isRefused(await failure(data, limits: limits) { _ in }))
  }

  @Test("A result with a side that the format does not support is scaled down")
  func sidesOfFormats() throws {
    let request = RenditionRequest(
      source: Rendering.source,
      options: ImageOptions {
        ($0.width, $0.height) = (16_384, 4)
        $0.resizing = .force
        $0.enlarges = true
      }, format: .webp)
    let data = SampleImage.png(width: 4, height: 4)
    let size = try #require(try Renderer().plan(for: request, source: data).pixelSize)
    #expect((size.width, size.height) == (16_383, 4))
    var png = request
    png.format = .png
    #expect(try Renderer().plan(for: png, source: data).pixelSize?.width == 16_384)
  }

  @Test("One pixel can be rendered with any options")
  func onePixel() async throws {
    let data = try Rendering.encoded(.even(.red, 1, 1), as: .png)
    for format in [ImageFormat.jpeg, .png, .webp, .gif] {
      let file = try await Rendering.render(data, as: format) {
        ($0.width, $0.height) = (30, 20)
        $0.resizing = .fill
        $0.enlarges = true
        $0.gravity = .init(.smart)
        $0.blur = 3
        $0.sharpen = 2
        $0.pixelate = 7
      }
      #expect(try Rendering.image(file).size == [30, 20])
    }
  }

  @Test("Cancellation delivers nothing and frees the pipeline")
  func cancelling() async throws {
    let pipeline = ImagePipeline.rendering
    pipeline.configuration.imageEncodingQueue.isSuspended = true
    let data = SampleImage.png(width: 16, height: 16)
    let task = Task {
      do throws(ServingError) {
        _ = try await Rendering.render(data, in: pipeline)
        return ServingError?.none
      } catch {
        return error
      }
    }
    task.cancel()
    pipeline.configuration.imageEncodingQueue.isSuspended = false
    #expect(await task.value == .cancelled)
    #expect(try await Rendering.render(data, in: pipeline).data.isEmpty == false)
  }
}
