import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Files that others have trouble with")
struct OddFileTests {
  /// A file that `Scripts/fixtures/odd.py` makes. `docs/odd-files.md` says where such files come from.
  struct OddFile: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let size: [Int]
    /// The largest difference of a channel; `nil` if the file cannot be read.
    let tolerance: Int?
    /// A part of the error's description.
    let error: String?
    var testDescription: String { name }

    var data: Data { get throws { try Data(contentsOf: Fixtures.file("Odd/\(name)")) } }

    var pixels: [UInt8] {
      get throws {
        let reference = Fixtures.file("Odd/\(name.prefix { $0 != "." }).rgba")
        return try Fixtures.frames(in: reference, count: 1, width: size[0], height: size[1])[0]
      }
    }

    static let all: [OddFile] = Fixtures.manifest("Odd").filter { (file: OddFile) in
      // What a build cannot read is tested in others.
      guard let format = (try? file.data).flatMap(ImageFormat.init(sniffing:)) else { return true }
      return format.isReadable
    }
  }

  @Test("The pixels are the right ones, or the error names the format", arguments: OddFile.all)
  func pixels(_ file: OddFile) throws {
    let data = try file.data
    if let part = file.error {
      let error = #expect(throws: CodecError.self) { try ImageReaders.reader(for: data).decode(DecodeOptions()) }
      #expect(error.map { "\($0)" }?.contains(part) == true, "\(String(describing: error))")
    } else {
      let reader = try ImageReaders.reader(for: data)
      let image = try reader.decode(DecodeOptions())
      #expect([image.pixelWidth, image.pixelHeight] as [Int] == file.size)
      #expect([reader.header.pixelWidth, reader.header.pixelHeight] as [Int] == file.size)
      #expect(largestDifference(image.pixelBytes, try file.pixels) <= file.tolerance ?? 0)
    }
  }

  @Test("A file that is shorter by any number of bytes is read, or is an error", arguments: OddFile.all)
  func prefixes(_ file: OddFile) throws {
    let data = try file.data
    for count in stride(from: 0, to: data.count, by: max(1, data.count / 50)) {
      let prefix = data.prefix(count)
      _ = try? ImageReaders.header(ofPrefix: prefix)
      do {
        _ = try ImageReaders.reader(for: prefix).decode(DecodeOptions())
      } catch {
        let part = DamagedImage(prefix, limits: CodecLimits(), reason: error)
        _ = try? part?.decode(DecodeOptions())
      }
    }
  }
}
