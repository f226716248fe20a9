import NukeImaging
import Testing

@Suite("Changing the order of channels")
struct SwizzleTests {
  private func check(
    _ bytesPerPixel: Int, _ pixel: ([UInt8]) -> [UInt8],
    _ kernel: (PixelKernels, UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>, Int) -> Void
  ) {
    var random = SeededGenerator(seed: 2)
    for kernels in availableKernels {
      for count in 0...67 {
        // Exactly as long as the pixels, so that a sanitizer sees a read too far.
        let source = random.bytes(count * bytesPerPixel)
        var result = [UInt8](repeating: 0xee, count: count * 4 + 16)
        kernel(kernels, source, &result, count)
        let expected = stride(from: 0, to: source.count, by: bytesPerPixel).flatMap {
          pixel(Array(source[$0..<$0 + bytesPerPixel]))
        }
        #expect(result == expected + [UInt8](repeating: 0xee, count: 16), "\(kernels.variant) \(count)")
      }
    }
  }

  @Test("Red and blue are swapped")
  func swapsRedAndBlue() {
    check(4, { [$0[2], $0[1], $0[0], $0[3]] }, { $0.swapRedBlue($1, to: $2, count: $3) })
  }

  @Test("RGB becomes opaque RGBA")
  func expandsRGB() {
    check(3, { $0 + [255] }, { $0.expandRGB($1, to: $2, count: $3) })
  }

  @Test("Gray becomes opaque RGBA")
  func expandsGray() {
    check(1, { [$0[0], $0[0], $0[0], 255] }, { $0.expandGray($1, to: $2, count: $3) })
  }

  @Test("Gray with alpha becomes RGBA with that alpha")
  func expandsGrayAlpha() {
    check(2, { [$0[0], $0[0], $0[0], $0[1]] }, { $0.expandGrayAlpha($1, to: $2, count: $3) })
  }

  @Test("Setting alpha does not change the color")
  func setsOpaque() {
    check(4, { $0.prefix(3) + [255] }) { kernels, source, destination, count in
      destination.update(from: source, count: count * 4)
      kernels.setOpaque(destination, count: count)
    }
  }

  @Test("The selected variant is supported by the processor")
  func choosesBest() {
    #expect(availableKernels.contains { $0.variant == PixelKernels.best.variant })
    #if arch(x86_64) || arch(arm64)
      #expect(availableKernels.count == 1 || PixelKernels.best.variant != .scalar)
    #endif
  }
}
