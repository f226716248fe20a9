#if Command
  import Foundation
  import Nuke
  import NukeOrigin

  /// The steps of the demo, and what each step claims.
  struct DemoScript {
    let origin: DemoServer
    let pipeline: ImagePipeline
    let session: Session

    private(set) var table = DemoTable()
    /// The loaded images, for the contact sheet.
    private(set) var images: [Bitmap] = []
    private var step = ""
    private var before = (decodes: 0, processes: 0)

    init(origin: DemoServer, pipeline: ImagePipeline, session: Session) {
      self.origin = origin
      self.pipeline = pipeline
      self.session = session
    }

    mutating func run() async throws {
      try await firstLoad()
      try await memoryHit()
      try await coalescing()
      try await sizes("two sizes, one scale", "night.jpg", widths: [400, 360], decodes: 1)
      try await sizes("two sizes, two scales", "lake.jpg", widths: [700, 150], decodes: 2)
      try await progressive()
      try await formats()
      try await cancellation()
      await brokenFile()
    }

    // MARK: Steps

    private mutating func firstLoad() async throws {
      begin("first load over HTTP")
      let task = pipeline.imageTask(with: origin.url(.slow, "lake.jpg"))
      let display = session.progress(count: 1, interval: 0.05)
      display?.begin(0, name: "lake.jpg")
      var reports = 0
      for await progress in task.progress {
        // The second half is sent after the first report, so that there are two even if everything is fast.
        if reports == 0 { origin.open(.slow, "lake.jpg") }
        reports += 1
        display?.update(0, progress)
      }
      display?.finish()
      let response = try await task.response
      images.append(response.image)
      say("lake.jpg, \(Self.text(response, task))")
      addDownloads(.slow, "lake.jpg")
      table.add(step, "progress reports", by: .demo, .atLeast(2), reports)
      addDecodes(1)
    }

    private mutating func memoryHit() async throws {
      begin("the second from memory")
      let task = pipeline.imageTask(with: origin.url(.slow, "lake.jpg"))
      say("lake.jpg, \(Self.text(try await task.response, task))")
      addDownloads(.slow, "lake.jpg", "downloads in all")
      addDecodes(0)
      table.add(step, "images from memory", by: .pipeline, .exactly(1), task.facts.origin == .memory ? 1 : 0)
    }

    private mutating func coalescing() async throws {
      begin("50 requests at once")
      let responses = try await held("chart.png", Array(repeating: [], count: 50))
      images.append(responses[0].response.image)
      say("chart.png, \(responses.count) images, \(Self.text(responses[0].response, responses[0].task))")
      table.add(step, "images", by: .demo, .exactly(50), responses.count)
      addDownloads(.held, "chart.png")
      addDecodes(1)
    }

    private mutating func sizes(_ name: String, _ image: String, widths: [CGFloat], decodes: Int) async throws {
      begin(name)
      let responses = try await held(image, widths.map { [ImageProcessors.Resize(width: $0, unit: .pixels)] })
      if decodes == 1 { images += responses.map(\.response.image) }
      let texts = responses.map { response, task in
        "\(response.image.pixelWidth)x\(response.image.pixelHeight) (decoded at 1/\(task.facts.scaleDenominator))"
      }
      say("\(image), " + texts.joined(separator: " and "))
      addDownloads(.held, image)
      addDecodes(decodes)
      table.add(
        step, "resizes", by: .pipeline, .exactly(widths.count), pipeline.counters.processes - before.processes)
    }

    private mutating func progressive() async throws {
      begin("a progressive image")
      let task = pipeline.imageTask(with: origin.url(.plain, "dusk.jpg"))
      let response = try await task.response
      images.append(response.image)
      say("dusk.jpg, \(Self.text(response, task))")
      addDownloads(.plain, "dusk.jpg")
      addDecodes(1)
    }

    private mutating func formats() async throws {
      begin("PNG, WebP, GIF: alpha, animated")
      let names = ["badge.png", "bubbles.webp", "orbit.gif", "aurora.webp"]
      for name in names { images.append(try await pipeline.image(for: origin.url(.plain, name))) }
      say(names.joined(separator: ", "))
      let downloads = names.reduce(0) { $0 + origin.requestCount(.plain, $1) }
      table.add(step, "downloads", by: .origin, .exactly(names.count), downloads)
      addDecodes(names.count)
    }

    private mutating func cancellation() async throws {
      begin("a canceled download")
      let closedBefore = origin.closedEarly
      let task = pipeline.imageTask(with: origin.url(.stalled, "lake.jpg"))
      for await progress in task.progress where progress.completed > 0 { task.cancel() }
      var canceled = 0
      do {
        _ = try await task.response
      } catch ImagePipeline.Error.cancelled {
        canceled = 1
      }
      await origin.wait { $0.closedEarly > closedBefore }
      say("lake.jpg, canceled after \(Format.bytes(task.currentProgress.completed))")
      table.add(step, "tasks that were canceled", by: .demo, .exactly(1), canceled)
      table.add(step, "connections closed early", by: .origin, .exactly(1), origin.closedEarly - closedBefore)
      addDecodes(0)
    }

    private mutating func brokenFile() async {
      begin("a broken file")
      var failures = 0
      do {
        _ = try await pipeline.image(for: origin.url(.cut, "lake.jpg"))
        say("lake.jpg was accepted")
      } catch {
        if case .decodingFailed = error { failures = 1 }
        say("lake.jpg, \(LoadFailure(error).reason)")
      }
      addDownloads(.cut, "lake.jpg")
      table.add(step, "tasks that failed to decode", by: .demo, .exactly(1), failures)
    }

    // MARK: Helpers

    private mutating func begin(_ name: String) {
      step = name
      before = (pipeline.counters.decodes, pipeline.counters.processes)
    }

    private func say(_ text: String) {
      if session.printsText { session.console.print("• \(step): \(text)".onOneLine) }
    }

    private mutating func addDownloads(
      _ behavior: DemoServer.Behavior, _ image: String, _ measure: String = "downloads"
    ) {
      table.add(step, measure, by: .origin, .exactly(1), origin.requestCount(behavior, image))
    }

    private mutating func addDecodes(_ count: Int) {
      table.add(step, "decodes", by: .pipeline, .exactly(count), pipeline.counters.decodes - before.decodes)
    }

    /// Starts a task for each list of processors while the origin holds the image back, so that all tasks wait for the
    /// same download.
    private func held(
      _ image: String, _ processors: [[any ImageProcessing]]
    ) async throws -> [(response: ImageResponse, task: ImageTask)] {
      let url = origin.url(.held, image)
      let tasks = processors.map { pipeline.imageTask(with: ImageRequest(url: url, processors: $0)) }
      await origin.waitForRequest(.held, image)
      origin.open(.held, image)
      var responses: [(response: ImageResponse, task: ImageTask)] = []
      for task in tasks { responses.append((try await task.response, task)) }
      return responses
    }

    private static func text(_ response: ImageResponse, _ task: ImageTask) -> String {
      let facts = task.facts
      let size = "\(response.image.pixelWidth)x\(response.image.pixelHeight)"
      let bytes = facts.byteCount > 0 ? ", \(Format.bytes(Int64(facts.byteCount)))" : ""
      return "\(size)\(bytes) from \((facts.origin ?? .network).rawValue) in \(Format.duration(facts.total))"
    }
  }
#endif
