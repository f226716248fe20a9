import Foundation
import Nuke
import NukeCLI
import Testing

@Suite(.timeLimit(.minutes(2))) struct DemoTests {
  @Test("The demo keeps every promise and writes its contact sheet")
  func demo() async throws {
    let place = try Workplace()
    let outcome = try await Command.run("demo", "--output", place.path("sheet.png"))
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
    #expect(!outcome.output.contains("WRONG"))
    #expect(outcome.output.contains("promises kept. Contact sheet: \(place.path("sheet.png"))"))
    let sheet = try #require(Bitmap(data: try place.data("sheet.png")))
    #expect(sheet.pixelWidth > 1000 && sheet.pixelHeight > 500)
    #expect(try place.contents() == ["sheet.png"])
  }

  @Test("An installed command finds its images in share")
  func installed() async throws {
    // A link needs the same file system, and is never a file that is still being written.
    let place = try Workplace(in: URL(fileURLWithPath: Command.path).deletingLastPathComponent())
    let files = FileManager.default
    try files.createDirectory(atPath: place.path("bin"), withIntermediateDirectories: true)
    try files.createDirectory(atPath: place.path("share/nuke"), withIntermediateDirectories: true)
    try files.linkItem(atPath: Command.path, toPath: place.path("bin/nuke"))
    let without = try await Command.run("demo", path: place.path("bin/nuke"))
    #expect(without.status == 1)
    #expect(without.errors.contains("the sample images are missing"), "\(without.errors)")
    try files.copyItem(atPath: Sample.folder.path, toPath: place.path("share/nuke/samples"))
    let outcome = try await Command.run(
      "demo", "--json", "--output", place.path("sheet.png"), path: place.path("bin/nuke"))
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let objects = try outcome.objects()
    #expect(objects.count > 20)
    #expect(objects.allSatisfy { $0["ok"] as? Bool == true })
  }

  @Test("A contact sheet that cannot be written is a one-line error with status 1")
  func unwritable() async throws {
    let outcome = try await Command.run("demo", "--output", "/nowhere/sheet.png")
    #expect(outcome.status == 1)
    #expect(outcome.errorLines == ["nuke: demo: cannot write /nowhere/sheet.png: no such file or directory"])
  }
}

@Suite struct DemoTableTests {
  @Test("A wrong count is marked, and fails the whole table")
  func wrong() {
    var table = DemoTable()
    table.add("one", "downloads", by: .origin, .exactly(1), 1)
    table.add("one", "decodes", by: .pipeline, .atLeast(2), 5)
    #expect(table.isKept)
    table.add("two", "downloads", by: .origin, .exactly(1), 2)
    #expect(!table.isKept)
    #expect(
      table.lines(hasColor: false) == [
        "step  what is counted  counted by  promised  counted       ",
        "───────────────────────────────────────────────────────────",
        "one   downloads        origin             1        1  ok",
        "      decodes          pipeline         ≥ 2        5  ok",
        "two   downloads        origin             1        2  WRONG",
        "───────────────────────────────────────────────────────────",
      ])
    #expect(table.rows[2].json.text.contains(#""ok":false"#))
  }
}

@Suite struct ContactSheetTests {
  @Test("Images are in a grid, transparent ones over the checkerboard")
  func grid() throws {
    func plain(_ pixel: [UInt8], isOpaque: Bool) throws -> Bitmap {
      try #require(
        Bitmap(pixelWidth: 8, pixelHeight: 8, isOpaque: isOpaque) { bytes in
          for index in bytes.indices { bytes[index] = pixel[index % 4] }
        })
    }
    let red = try plain([255, 0, 0, 255], isOpaque: true)
    let clear = try plain([0, 0, 0, 0], isOpaque: false)
    let half = try plain([0, 128, 0, 128], isOpaque: false)
    let sheet = try #require(
      ContactSheet(columns: 2, cellWidth: 8, cellHeight: 8, gap: 4).draw([red, clear, half]))
    #expect(sheet.pixelWidth == 28 && sheet.pixelHeight == 28)
    sheet.withUnsafeBytes { bytes in
      func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(bytes[(y * 28 + x) * 4..<(y * 28 + x) * 4 + 4]) }
      #expect(pixel(0, 0) == [58, 58, 58, 255])
      #expect(pixel(8, 8) == [255, 0, 0, 255])
      #expect(pixel(20, 8) == [48, 48, 48, 255])
      #expect(pixel(8, 20) == [24, 152, 24, 255])
    }
  }

  @Test("There is no contact sheet without images")
  func empty() {
    #expect(ContactSheet().draw([]) == nil)
  }
}
