#if GTK
  import ArgumentParser
  import Foundation
  import Nuke
  import NukeOrigin

  /// A web server in this program, which makes many images of a few: parts of them, in many colors, as progressive
  /// JPEG, and sends them in pieces.
  final class DemoOrigin: Sendable {
    /// How images are sent.
    enum Manner: String, CaseIterable, ExpressibleByArgument {
      case plain
      /// Never, to see what waiting looks like.
      case held
      /// Every third one only when it is asked for again.
      case failing
    }

    enum Failure: Error, CustomStringConvertible {
      case noSamples(folder: String)

      var description: String {
        switch self {
        case .noSamples(let folder):
          "there are no images in \(folder) to make a demonstration of; run this in the folder of the package, or name "
            + "a folder of your own"
        }
      }
    }

    /// The images' addresses.
    let urls: [URL]
    private let origin: NukeOrigin

    /// - Parameters:
    ///   - samples: what the images are made of; those that cannot be read are left out.
    ///   - count: how many images are offered.
    /// - Throws: ``Failure``, or what the system says that gives no socket.
    init(samples: ImageList, folder: String, count: Int, manner: Manner) throws {
      let pictures = samples.urls.compactMap(Self.read)
      guard !pictures.isEmpty else { throw Failure.noSamples(folder: folder) }
      let site = DemoSite(pictures: pictures.map(\.picture), manner: manner)
      origin = try NukeOrigin { site.respond(to: $0) }
      urls = (0..<max(0, count)).map { [origin] number in
        let digits = String(number + 1)
        let place = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return origin.url("/\(number)/\(pictures[number % pictures.count].name)-\(place).jpg")
      }
    }

    private static func read(_ url: URL) -> (name: String, picture: PlatformImage)? {
      guard let data = try? Data(contentsOf: url), let picture = try? ImageDecoders.Default().decode(data).image,
        picture.pixelWidth >= 600
      else { return nil }
      return (url.deletingPathExtension().lastPathComponent.lowercased(), picture)
    }
  }

  /// What the demonstration's server answers: `/<number>/<any name>` is an image.
  final class DemoSite: Sendable {
    private let pictures: [PlatformImage]
    private let manner: DemoOrigin.Manner
    private let gate = Gate()
    private let asked = Lock<Set<String>>([])

    init(pictures: [PlatformImage], manner: DemoOrigin.Manner) {
      self.pictures = pictures
      self.manner = manner
    }

    func respond(to request: NukeOrigin.Request) -> NukeOrigin.Response {
      guard let number = request.path.split(separator: "/").first.flatMap({ Int($0) }), number >= 0 else {
        return .status(404)
      }
      let isFirst = asked.withLock { $0.insert(request.path).inserted }
      if manner == .failing, number % 3 == 1, isFirst { return .status(404) }
      if manner == .held { return .status(503).held(by: gate) }
      guard let data = picture(number) else { return .status(500) }
      return .data(data, type: "image/jpeg").trickled(data.count / 4 + 1, .delay(0.03))
    }

    /// A part of a sample whose place and hue follow from the number.
    func picture(_ number: Int) -> Data? {
      let sample = pictures[number % pictures.count]
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
      let turn = number < pictures.count ? 0 : (fraction() - 0.5) * 2 * Double.pi
      return ImageProcessors.Crop(rect: part, unit: .pixels).process(sample)
        .flatMap { ImageProcessors.Resize(width: 800, unit: .pixels).process($0) }
        .flatMap { picture in
          ImageProcessors.CoreImageFilter(
            name: "CIHueAdjust", parameters: ["inputAngle": turn], identifier: "demo-\(turn)"
          ).process(picture)
        }
        .flatMap { try? JPEGWriter(quality: 0.8, isProgressive: true).encode($0) }
    }
  }
#endif
