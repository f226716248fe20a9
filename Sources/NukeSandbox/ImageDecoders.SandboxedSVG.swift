public import Foundation
public import Nuke
package import NukeCodecs
import NukeImaging
import NukeServing

extension ImageDecoders {
  /// Draws SVG images in the workers of a sandbox.
  ///
  /// librsvg ends its process when it finds an error in itself. Drawings are checked before, but only a drawing in another
  /// process cannot end the program:
  ///
  /// ```swift
  /// RenderWorker.runIfAsked()
  /// let sandbox = try RenderSandbox(renderer: Renderer())
  /// ImageDecoderRegistry.shared.register { ImageDecoders.SandboxedSVG(context: $0, sandbox: sandbox) }
  /// ```
  ///
  /// Pixels and sizes are those of `ImageDecoders.Default`. A worker takes tens of milliseconds to start, once, and
  /// about 20 MB; each image is encoded as PNG by the worker and decoded by the program, about 10 ns for a pixel. The
  /// thread that decodes waits for the worker.
  public struct SandboxedSVG: ScalableImageDecoding {
    private let sandbox: RenderSandbox

    /// Creates the decoder for a context; `nil` for data that is no SVG image.
    public init?(context: ImageDecodingContext, sandbox: RenderSandbox) {
      guard ImageFormat(sniffing: context.data) == .svg else { return nil }
      self.sandbox = sandbox
    }

    public func decode(_ data: Data) throws -> ImageContainer {
      try open(data, limits: sandbox.renderer.limits.source).decode(DecodeOptions())
    }

    package func openingByteCount(of data: Data) -> Int? { ImageReaders.openingByteCount(of: data) }

    package func open(_ data: Data, limits: CodecLimits) throws -> any OpenedImage {
      let sandbox = sandbox
      let file = try sandbox.file(of: data)
      let facts = try Self.waiting { () async throws(ServingError) in try await sandbox.facts(of: data, file) }
      // A worker can report any size.
      try CodecLimits.statedByDrawing.check(.svg, width: facts.width, height: facts.height)
      return Opened(sandbox: sandbox, data: data, file: file, limits: limits, pixelSize: (facts.width, facts.height))
    }

    private struct Opened: OpenedImage {
      let sandbox: RenderSandbox
      let data: Data
      let file: SealedFile
      let limits: CodecLimits
      let pixelSize: (width: Int, height: Int)
      var scaleDenominators: [Int] { [1] }
      var isVector: Bool { true }

      func checkDrawnSize(_ size: DecodeOptions.TargetSize) throws {
        try limits.check(.svg, width: size.width, height: size.height)
      }

      func byteCount(scaleDenominator: Int) -> Int { pixelSize.width * pixelSize.height * 4 }

      func decode(_ options: DecodeOptions) throws -> ImageContainer {
        let size = options.targetSize ?? .init(width: pixelSize.width, height: pixelSize.height)
        try checkDrawnSize(size)
        var image = ImageOptions()
        image.resizing = .force
        image.enlarges = true
        (image.width, image.height) = (size.width, size.height)
        let renderer = SandboxedRenderer(sandbox)
        let request = RenditionRequest(source: URL(fileURLWithPath: "/"), options: image, format: .png)
        let file = try SandboxedSVG.waiting(isCancelled: options.isCancelled) {
          [data, file] () async throws(ServingError) in
          try await renderer.plan(request, data, in: data, file).render()
        }
        let drawn = try PNGReader(data: file.data, limits: limits)
          .decode(DecodeOptions(orientation: options.orientation, isCancelled: options.isCancelled))
        return ImageContainer(image: drawn, type: .svg)
      }
    }

    /// The reason why a worker rejects a drawing, in the words of the error that it has thrown.
    private struct Rejection: Error, CustomStringConvertible {
      let description: String
    }

    /// Blocks the calling thread until the work of a sandbox is done.
    ///
    /// - Parameter isCancelled: asked a few times per second.
    fileprivate static func waiting<Value: Sendable>(
      isCancelled: (@Sendable () -> Bool)? = nil,
      _ work: @escaping @Sendable () async throws(ServingError) -> Value
    ) throws -> Value {
      let done = DispatchSemaphore(value: 0)
      let result = Lock<Result<Value, ServingError>?>(nil)
      let task = Task {
        let value = await Result(of: work)
        result.withLock { $0 = value }
        done.signal()
      }
      while done.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
        if isCancelled?() == true { task.cancel() }
      }
      switch result.withLock({ $0 })! {
      case .success(let value): return value
      case .failure(.cancelled): throw CodecError.cancelled(.svg)
      case .failure(.notAnImage(let reason)), .failure(.tooLarge(let reason)): throw Rejection(description: reason)
      case .failure(let error): throw error
      }
    }
  }
}
