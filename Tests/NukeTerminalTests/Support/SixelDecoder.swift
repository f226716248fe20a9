/// Reads sixels as the manual of the VT340 tells it.
struct SixelDecoder {
  private var bytes: ArraySlice<UInt8>
  private(set) var width = 0
  private(set) var height = 0
  private(set) var complaints: [String] = []

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  mutating func decode(_ paint: (_ x: Int, _ y: Int, _ color: FakeTerminal.Color) -> Void) {
    var palette: [Int: FakeTerminal.Color] = [:]
    var (x, top, place) = (0, 0, -1)
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "\""):
        let numbers = self.numbers()
        guard numbers.count == 4, numbers[0] == 1, numbers[1] == 1 else {
          complaints.append("raster \(numbers)")
          continue
        }
        (width, height) = (numbers[2], numbers[3])
      case UInt8(ascii: "#"):
        let numbers = self.numbers()
        place = numbers.first ?? -1
        if place > 255 { complaints.append("register \(place)") }
        if numbers.count == 5, numbers[1] == 2, numbers[2...].allSatisfy({ $0 <= 100 }) {
          let levels = numbers[2...].map { ($0 * 255 + 50) / 100 }
          palette[place] = FakeTerminal.Color(red: levels[0], green: levels[1], blue: levels[2])
        } else if numbers.count != 1 {
          complaints.append("color \(numbers)")
        }
      case UInt8(ascii: "!"):
        let count = numbers().first ?? 0
        guard let sixel = bytes.popFirst() else { return complaints.append("a repetition of nothing") }
        draw(sixel, count: count)
      case UInt8(ascii: "$"): x = 0
      case UInt8(ascii: "-"):
        x = 0
        top += 6
      case 63...126: draw(byte, count: 1)
      default: complaints.append("byte \(byte)")
      }
    }

    func draw(_ sixel: UInt8, count: Int) {
      for _ in 0..<count {
        for line in 0..<6 where (sixel - 63) >> UInt8(line) & 1 == 1 {
          guard let color = palette[place] else { return complaints.append("register \(place) has no color") }
          if x >= width || top + line >= height { complaints.append("outside of the raster") }
          paint(x, top + line, color)
        }
        x += 1
      }
    }
  }

  private mutating func numbers() -> [Int] {
    let end = bytes.firstIndex { !(48...57).contains($0) && $0 != UInt8(ascii: ";") } ?? bytes.endIndex
    defer { bytes = bytes[end...] }
    return bytes[bytes.startIndex..<end].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
  }
}
