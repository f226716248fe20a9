import Foundation
import FoundationNetworking
import Nuke
import Testing

@Suite("Partial bodies in memory") struct PartialBodiesTests {
  func key(_ number: Int, fields: [String: String] = [:]) throws -> PartialBodies.Key {
    var request = URLRequest(url: imageURL("\(number)"))
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    return try #require(PartialBodies.Key(request))
  }

  func part(_ count: Int) -> PartialBodies.Part {
    let point = ResumePoint(validator: .entityTag("\"a\""), url: "", total: nil, count: count)
    return PartialBodies.Part(point: point, body: GrowingData(Data(repeating: 1, count: count)))
  }

  @Test("A partial body is returned once")
  func takes() throws {
    let bodies = PartialBodies()
    bodies.keep(part(10), for: try key(1))
    #expect(bodies.take(try key(2)) == nil)
    #expect(bodies.take(try key(1))?.body.count == 10)
    #expect(bodies.take(try key(1)) == nil)
    #expect(bodies.count == 0 && bodies.byteCount == 0)
  }

  @Test("The limits of bytes and number apply, and the oldest are evicted first")
  func bounds() throws {
    let bodies = PartialBodies(byteLimit: 100, countLimit: 5)
    for number in 0..<4 { bodies.keep(part(30), for: try key(number)) }
    #expect(bodies.byteCount == 90 && bodies.count == 3)
    #expect(bodies.take(try key(0)) == nil)
    bodies.keep(part(101), for: try key(1))
    #expect(bodies.take(try key(1)) == nil, "One above the limit is not kept, and takes the old one with it")
    #expect(bodies.byteCount == 60)
    for number in 10..<20 { bodies.keep(part(1), for: try key(number)) }
    #expect(bodies.count == 5 && bodies.byteCount == 5)
    #expect(bodies.take(try key(14)) == nil)
    #expect(bodies.take(try key(15)) != nil)
    bodies.keep(part(2), for: try key(19))
    #expect(bodies.count == 4 && bodies.byteCount == 5)
  }

  @Test("Header fields distinguish keys, and are not written to disk")
  func keys() throws {
    let (plain, secret) = (try key(1), try key(1, fields: ["Authorization": "Basic c2VjcmV0"]))
    let (same, other) = (
      try key(1, fields: ["authorization": "Basic c2VjcmV0"]), try key(1, fields: ["Authorization": "Basic b3RoZXI="])
    )
    #expect(plain != secret && plain.text != secret.text)
    #expect(!secret.text.contains("c2VjcmV0"))
    #expect(secret.text == same.text)
    #expect(secret.text != other.text)
    #expect(PartialBodies.Key(URLRequest(url: URL(fileURLWithPath: "/a"))) == nil)
  }

  @Test(
    "Growing a body does not change slices that were returned, whatever length was announced",
    arguments: [0, 5, 4000, .max])
  func grows(_ expected: Int) {
    var (growing, whole) = (GrowingData(), Data())
    var given: [(Data, Data)] = []
    for number in 0..<200 {
      let bytes = Data((0...number % 37).map { UInt8(truncatingIfNeeded: $0 &+ number) })
      if number % 3 == 0 {
        growing.append(bytes, expected: expected)
      } else {
        bytes.withUnsafeBytes { growing.append($0, expected: expected) }
      }
      whole.append(bytes)
      given.append((growing.data, whole))
    }
    #expect(given.allSatisfy { $0 == $1 })
    // Whoever changes what was given away changes a copy.
    var mine = given[100].0
    mine[0] ^= 0xff
    mine.append(7)
    #expect(growing.data == whole && given[100].0 == given[100].1)
  }
}
