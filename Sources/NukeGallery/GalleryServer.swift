#if GTK
  import Foundation
  import Nuke
  import NukeOrigin

  /// A local web server that generates many images from a few samples, and sends them in pieces as progressive JPEG.
  final class GalleryServer: Sendable {
    /// How the server sends images.
    enum Behavior: String, CaseIterable {
      case plain
      /// Sends nothing, to show the state while loading.
      case held
      /// Every third image fails: one half at the first request, the other half always.
      case failing
    }

    enum Failure: Error, CustomStringConvertible {
      case noSamples(folder: String)

      var description: String {
        switch self {
        case .noSamples(let folder):
          "there are no samples in \(folder); run this in the folder of the package, or pass a folder of images"
        }
      }
    }

    /// The URLs of the images.
    let urls: [URL]
    private let origin: NukeOrigin

    /// - Parameters:
    ///   - samples: the samples; unreadable ones are ignored.
    ///   - count: the number of images.
    /// - Throws: ``Failure``, or an error of the system if there is no socket.
    init(samples: ImageList, folder: String, count: Int, behavior: Behavior) throws {
      let images = Self.urls(of: samples).compactMap(Self.read)
      guard !images.isEmpty else { throw Failure.noSamples(folder: folder) }
      let site = GallerySite(images: images.map(\.image), behavior: behavior)
      origin = try NukeOrigin { site.respond(to: $0) }
      urls = (0..<max(0, count)).map { [origin] number in
        let digits = String(number + 1)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return origin.url("/\(number)/\(images[number % images.count].name)-\(padded).jpg")
      }
    }

    /// The samples by path, so that the demo is always the same.
    private static func urls(of samples: ImageList) -> [URL] {
      var found: [URL] = []
      FolderScan.run(samples.folders, without: samples.paths) { batch in
        found += batch.order.compactMap { batch.store.url($0) }
      }
      return samples.urls + found.sorted { $0.path < $1.path }
    }

    private static func read(_ url: URL) -> (name: String, image: PlatformImage)? {
      guard let data = try? Data(contentsOf: url), let image = try? ImageDecoders.Default().decode(data).image,
        image.pixelWidth >= 600
      else { return nil }
      return (url.deletingPathExtension().lastPathComponent.lowercased(), image)
    }
  }

  /// The responses of the server: `/<number>/<any name>` is an image.
  final class GallerySite: Sendable {
    private let images: [PlatformImage]
    private let behavior: GalleryServer.Behavior
    private let gate = ScriptGate()
    private let requestedPaths = Lock<Set<String>>([])

    init(images: [PlatformImage], behavior: GalleryServer.Behavior) {
      self.images = images
      self.behavior = behavior
    }

    func respond(to request: NukeOrigin.Request) -> NukeOrigin.Response {
      guard let number = request.path.split(separator: "/").first.flatMap({ Int($0) }), number >= 0 else {
        return .status(404)
      }
      let isFirst = requestedPaths.withLock { $0.insert(request.path).inserted }
      if behavior == .failing, number % 6 == 1, isFirst { return .status(503) }
      if behavior == .failing, number % 6 == 4 { return .status(404) }
      if behavior == .held { return .status(503).held(by: gate) }
      guard let data = image(number) else { return .status(500) }
      return .data(data, type: "image/jpeg").trickled(data.count / 4 + 1, .delay(0.03))
    }

    /// Returns a part of a sample, with a position and hue that depend on the number.
    func image(_ number: Int) -> Data? {
      let sample = images[number % images.count]
      var random = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
      func fraction() -> Double {
        random = (random ^ (random >> 29)) &* 0xBF58_476D_1CE4_E5B9
        return Double(random >> 40) / Double(1 << 24)
      }
      let width = Double(sample.pixelWidth) * (0.4 + 0.6 * fraction())
      let height = min(width * 0.75, Double(sample.pixelHeight))
      let part = CGRect(
        x: (Double(sample.pixelWidth) - width) * fraction(), y: (Double(sample.pixelHeight) - height) * fraction(),
        width: width, height: height)
      let turn = number < images.count ? 0 : (fraction() - 0.5) * 2 * Double.pi
      return ImageProcessors.Crop(rect: part, unit: .pixels).process(sample)
        .flatMap { ImageProcessors.Resize(width: 800, unit: .pixels).process($0) }
        .flatMap { image in
          ImageProcessors.CoreImageFilter(
            name: "CIHueAdjust", parameters: ["inputAngle": turn], identifier: "demo-\(turn)"
          ).process(image)
        }
        .flatMap { try? JPEGWriter(quality: 0.8, isProgressive: true).encode($0) }
    }
  }
#endif
