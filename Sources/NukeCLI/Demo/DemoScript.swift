import Foundation
import Nuke

/// What the demo does, step by step, and what each step promises.
struct DemoScript {
  let origin: DemoOrigin
  let pipeline: ImagePipeline
  /// Tells how a step went, in one line.
  let say: (String) -> Void
  let makeProgress: () -> ProgressDisplay?

  private(set) var table = DemoTable()
  /// What was loaded, for the contact sheet.
  private(set) var images: [Bitmap] = []

  init(
    origin: DemoOrigin, pipeline: ImagePipeline, say: @escaping (String) -> Void,
    makeProgress: @escaping () -> ProgressDisplay?
  ) {
    self.origin = origin
    self.pipeline = pipeline
    self.say = say
    self.makeProgress = makeProgress
  }

  mutating func run() async throws {
    try await firstLoad()
    try await memoryHit()
    try await coalescing()
    try await sizesOfOneScale()
    try await sizesOfTwoScales()
    try await progressive()
    try await formats()
    try await cancellation()
    try await brokenFile()
  }

  // MARK: Steps

  private mutating func firstLoad() async throws {
    let step = "first load over HTTP"
    let before = counters
    let task = pipeline.imageTask(with: origin.url(.slow, "lake.jpg"))
    let display = makeProgress()
    display?.begin(0, name: "lake.jpg")
    var reports = 0
    for await progress in task.progress {
      // The second half waits for this: so there is a report before the end, however fast everything is.
      if reports == 0 { try await origin.open(.slow, "lake.jpg") }
      reports += 1
      display?.update(0, completed: progress.completed, total: progress.total)
    }
    display?.finish()
    let response = try await task.response
    images.append(response.image)
    say("\(step): lake.jpg, \(Self.text(response, task))")
    table.add(step, "downloads", by: .origin, .exactly(1), try await origin.requestCount(.slow, "lake.jpg"))
    table.add(step, "progress reports", by: .demo, .atLeast(2), reports)
    table.add(step, "decodes", by: .pipeline, .exactly(1), counters.decodes - before.decodes)
  }

  private mutating func memoryHit() async throws {
    let step = "the second from memory"
    let before = counters
    let task = pipeline.imageTask(with: origin.url(.slow, "lake.jpg"))
    let response = try await task.response
    say("\(step): lake.jpg, \(Self.text(response, task))")
    table.add(step, "downloads in all", by: .origin, .exactly(1), try await origin.requestCount(.slow, "lake.jpg"))
    table.add(step, "decodes", by: .pipeline, .exactly(0), counters.decodes - before.decodes)
    table.add(step, "images from memory", by: .pipeline, .exactly(1), task.facts.origin == .memory ? 1 : 0)
  }

  private mutating func coalescing() async throws {
    let step = "50 requests at once"
    let before = counters
    let responses = try await held("chart.png", Array(repeating: [], count: 50))
    images.append(responses[0].response.image)
    say("\(step): chart.png, \(responses.count) images, \(Self.text(responses[0].response, responses[0].task))")
    table.add(step, "images", by: .demo, .exactly(50), responses.count)
    table.add(step, "downloads", by: .origin, .exactly(1), try await origin.requestCount(.held, "chart.png"))
    table.add(step, "decodes", by: .pipeline, .exactly(1), counters.decodes - before.decodes)
  }

  private mutating func sizesOfOneScale() async throws {
    let step = "two sizes, one scale"
    let before = counters
    let responses = try await held("night.jpg", [[Self.width(400)], [Self.width(360)]])
    images += responses.map(\.response.image)
    say("\(step): night.jpg, " + Self.sizes(responses))
    table.add(step, "downloads", by: .origin, .exactly(1), try await origin.requestCount(.held, "night.jpg"))
    table.add(step, "decodes", by: .pipeline, .exactly(1), counters.decodes - before.decodes)
    table.add(step, "resizes", by: .pipeline, .exactly(2), counters.processes - before.processes)
  }

  private mutating func sizesOfTwoScales() async throws {
    let step = "two sizes, two scales"
    let before = counters
    let responses = try await held("lake.jpg", [[Self.width(700)], [Self.width(150)]])
    say("\(step): lake.jpg, " + Self.sizes(responses))
    table.add(step, "downloads", by: .origin, .exactly(1), try await origin.requestCount(.held, "lake.jpg"))
    table.add(step, "decodes", by: .pipeline, .exactly(2), counters.decodes - before.decodes)
    table.add(step, "resizes", by: .pipeline, .exactly(2), counters.processes - before.processes)
  }

  private mutating func progressive() async throws {
    let step = "a progressive image"
    let before = counters
    let url = origin.url(.plain, "dusk.jpg")
    let task = pipeline.imageTask(with: url)
    let response = try await task.response
    images.append(response.image)
    say("\(step): dusk.jpg, \(Self.text(response, task))")
    table.add(step, "downloads", by: .origin, .exactly(1), try await origin.requestCount(.plain, "dusk.jpg"))
    table.add(step, "decodes", by: .pipeline, .exactly(1), counters.decodes - before.decodes)
  }

  private mutating func formats() async throws {
    let step = "PNG, WebP, GIF: alpha, moving"
    let names = ["badge.png", "bubbles.webp", "orbit.gif", "aurora.webp"]
    let before = counters
    var downloads = 0
    for name in names {
      images.append(try await pipeline.image(for: origin.url(.plain, name)))
      downloads += try await origin.requestCount(.plain, name)
    }
    say("\(step): \(names.joined(separator: ", "))")
    table.add(step, "downloads", by: .origin, .exactly(names.count), downloads)
    table.add(step, "decodes", by: .pipeline, .exactly(names.count), counters.decodes - before.decodes)
  }

  private mutating func cancellation() async throws {
    let step = "a cancelled download"
    let before = counters
    let closedBefore = try await origin.counts().closedEarly
    let task = pipeline.imageTask(with: origin.url(.stalled, "lake.jpg"))
    for await progress in task.progress where progress.completed > 0 { task.cancel() }
    var cancelled = 0
    do {
      _ = try await task.response
    } catch ImagePipeline.Error.cancelled {
      cancelled = 1
    }
    let counts = try await origin.wait { $0.closedEarly > closedBefore }
    say("\(step): lake.jpg, given up after \(Format.bytes(task.currentProgress.completed))")
    table.add(step, "tasks that ended as cancelled", by: .demo, .exactly(1), cancelled)
    table.add(step, "connections closed early", by: .origin, .exactly(1), counts.closedEarly - closedBefore)
    table.add(step, "decodes", by: .pipeline, .exactly(0), counters.decodes - before.decodes)
  }

  private mutating func brokenFile() async throws {
    let step = "a broken file"
    var failures = 0
    do {
      _ = try await pipeline.image(for: origin.url(.cut, "lake.jpg"))
      say("\(step): lake.jpg was accepted")
    } catch {
      if case .decodingFailed = error { failures = 1 }
      say("\(step): lake.jpg, \(LoadFailure(error, limit: nil).reason)")
    }
    table.add(step, "downloads", by: .origin, .exactly(1), try await origin.requestCount(.cut, "lake.jpg"))
    table.add(step, "tasks that failed to decode", by: .demo, .exactly(1), failures)
  }

  // MARK: What steps share

  /// Starts a task for each list of processors while the origin holds the image back, and lets it go when it has been
  /// asked for: so all of them wait for the same download, however fast everything is.
  private func held(
    _ image: String, _ processors: [[any ImageProcessing]]
  ) async throws -> [(response: ImageResponse, task: ImageTask)] {
    let url = origin.url(.held, image)
    let tasks = processors.map { pipeline.imageTask(with: ImageRequest(url: url, processors: $0)) }
    _ = try await origin.wait { $0.requests["/held/\(image)", default: 0] > 0 }
    try await origin.open(.held, image)
    var responses: [(response: ImageResponse, task: ImageTask)] = []
    for task in tasks { responses.append((try await task.response, task)) }
    return responses
  }

  private struct Counts {
    let decodes: Int
    let processes: Int
  }

  private var counters: Counts {
    Counts(
      decodes: pipeline.counters.decodes,
      processes: pipeline.counters.processes)
  }

  private static func width(_ pixels: CGFloat) -> any ImageProcessing {
    ImageProcessors.Resize(width: pixels, unit: .pixels)
  }

  private static func sizes(_ responses: [(response: ImageResponse, task: ImageTask)]) -> String {
    responses.map { response, task in
      "\(response.image.pixelWidth)x\(response.image.pixelHeight) (decoded at 1/\(task.facts.scaleDenominator))"
    }.joined(separator: " and ")
  }

  private static func text(_ response: ImageResponse, _ task: ImageTask) -> String {
    let facts = task.facts
    let size = "\(response.image.pixelWidth)x\(response.image.pixelHeight)"
    let bytes = facts.byteCount > 0 ? ", \(Format.bytes(Int64(facts.byteCount)))" : ""
    return "\(size)\(bytes) from \((facts.origin ?? .network).rawValue) in \(Format.duration(facts.total))"
  }
}
