#if Command && Server
  import ArgumentParser
  import Foundation
  import Nuke
  import NukeServing

  /// Options of the image server's URLs among the arguments of a command, such as `rs:fill:300:200/q:70`.
  struct ServerOptions: Sendable {
    private let options: ImageOptions

    /// Returns `true` if the argument begins with the name of an option and a colon, and no file has this name. A file
    /// to be written is named with its folder: `./w:1.jpg`.
    static func contains(_ argument: String) -> Bool {
      guard let colon = argument.firstIndex(of: ":"), !argument[colon...].hasPrefix("://") else { return false }
      return ImageOption(String(argument[..<colon])).longName != nil
        && argument.fileStatus == nil
    }

    /// Throws if a source is not an existing file but begins like an option, such as a misspelled one.
    static func check(sources: [String]) throws {
      for source in sources {
        let name = source.prefix { $0.isASCII && $0.isLowercase || $0 == "_" }
        guard !name.isEmpty, source[name.endIndex...].hasPrefix(":"), case .file = Source(argument: source).location,
          source.fileStatus == nil
        else { continue }
        do throws(ServingError) {
          let option = String(source.prefix { $0 != "/" })
          _ = try ImageOptions(try ImageOption.list(option, of: option))
        } catch {
          throw ValidationError("\(source) is not a file. \(error.description)")
        }
      }
    }

    /// - Throws: `ValidationError` for an invalid option, and for one that has no effect without a server.
    init(_ arguments: [String]) throws {
      do throws(ServingError) {
        let text = arguments.joined(separator: "/")
        options = try ImageOptions(try ImageOption.list(text, of: text))
      } catch {
        throw ValidationError(error.description)
      }
      let useless: KeyValuePairs<String, Bool> = [
        "watermark": options.watermark != nil, "watermark_url": options.watermarkSource != nil,
        "placeholder": options.placeholder != nil, "raw": options.isRaw,
        "skip_processing": !options.skippedFormats.isEmpty, "expires": options.expires != nil,
        "filename": options.filename != nil, "return_attachment": options.isAttachment != nil,
        "cachebuster": options.cacheBuster != nil, "hashsum": options.sourceHash != nil,
        "cache_tags": !options.cacheTags.isEmpty, "fallback_image_url": options.fallbackSource != nil,
      ]
      if let (name, _) = useless.first(where: \.value) {
        throw ValidationError("The option \(name) works only in URLs of the server.")
      }
    }

    /// Returns the renderer that the server uses, with limits for files of the user's own.
    func rendering(quality: Int?, in setup: PipelineSetup, limit: Int?, to output: OutputPlan) -> Rendering {
      var (options, limits) = (options, RenderLimits())
      if let quality { options.quality = quality }
      limits.maximumSourceBytes = limit ?? setup.pipeline.configuration.maximumResponseDataSize ?? .max
      return Rendering(
        options: options, renderer: Renderer(limits: limits), pipeline: setup.pipeline, limit: limit, output: output)
    }

    /// Renders sources with the options, and writes the files.
    struct Rendering: Sendable {
      /// The formats of `f:best`.
      private static let candidates: [ImageFormat] = [.avif, .webp, .jpeg, .png, .gif]

      fileprivate let options: ImageOptions
      fileprivate let renderer: Renderer
      fileprivate let pipeline: ImagePipeline
      fileprivate let limit: Int?
      fileprivate let output: OutputPlan

      func callAsFunction(_ source: Source, index: Int) async throws -> LoadedImage {
        let start = ContinuousClock.now
        let data = try await pipeline.data(for: source.request(limit: limit)).0
        let loaded = ContinuousClock.now
        var options = options
        if let format = output.givenFormat {
          (options.format, options.bestFormats) = (format.format, nil)
        } else if options.bestFormats != nil {
          options.bestFormats = Self.candidates
        }
        let request = RenditionRequest(source: source.url ?? URL(fileURLWithPath: source.text), options: options)
        let plan = try renderer.plan(for: request, source: data)
        let file = try await renderer.render(plan, in: pipeline)
        let header = try ImageReaders.reader(for: file.data, limits: .unlimited).header
        let rendered = ContinuousClock.now
        let path = try output.destination(
          for: index, rewriting: header.format, size: (header.pixelWidth, header.pixelHeight)
        ).path
        try AtomicFile.write(file.data, to: path)
        let stages: [(name: String, seconds: TimeInterval)] = [
          ("loading", (loaded - start).seconds), ("rendering", (rendered - loaded).seconds),
          ("writing", (ContinuousClock.now - rendered).seconds),
        ]
        return LoadedImage(
          plan.sourceFormat, width: header.pixelWidth, height: header.pixelHeight, bytes: data.count,
          origin: source.origin, stages: stages, output: (path, file.data.count))
      }
    }
  }
#endif
