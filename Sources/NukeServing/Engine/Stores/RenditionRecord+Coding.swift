import Foundation
import Nuke
import NukeHTTPCaching

/// The encoding in stores. It is self-contained: a magic number with the version, a checksum of everything after it,
/// the lengths, the fields, and the file. Numbers are little-endian.
extension RenditionRecord {
  /// "NKR" and the version of the encoding.
  private static let magic: [UInt8] = [0x4E, 0x4B, 0x52, 1]
  /// The size of the magic number, the checksum, and the lengths of the fields and of the file.
  private static let prefixCount = 4 + 8 + 4 + 8

  /// - Parameter key: written into the entry too, so that an entry under the wrong key is detected.
  func encoded(for key: RenditionKey) -> Data {
    var fields = FieldWriter()
    fields.append(key.text)
    fields.append(rendition.contentType)
    fields.append(rendition.entityTag)
    fields.append(rendition.lastModified.map { [$0] } ?? [])
    fields.append([freshness.checkedAt, freshness.freshUntil, freshness.revalidateAt].map(\.milliseconds))
    fields.append([freshness.staleWhileRevalidate, freshness.staleIfError])
    fields.append([source.count, Int(bitPattern: UInt(source.checksum))])
    for text in sourceFields.texts { fields.append(text ?? "") }
    let sizes = rendition.sizes
    if !isShared || purge != nil || failure != nil || sizes != nil { fields.append(attributes) }
    if let sizes { fields.append([sizes.sourceWidth, sizes.sourceHeight, sizes.width, sizes.height]) }

    var encoded = Data(capacity: Self.prefixCount + fields.bytes.count + rendition.data.count)
    encoded.append(contentsOf: Self.magic)
    encoded.append(contentsOf: repeatElement(0, count: 8))
    withUnsafeBytes(of: UInt32(fields.bytes.count).littleEndian) { encoded.append(contentsOf: $0) }
    withUnsafeBytes(of: UInt64(rendition.data.count).littleEndian) { encoded.append(contentsOf: $0) }
    encoded.append(fields.bytes)
    encoded.append(rendition.data)
    withUnsafeBytes(of: Digest.checksum(of: encoded[12...]).littleEndian) {
      encoded.replaceSubrange(4..<12, with: $0)
    }
    return encoded
  }

  /// Returns `nil` if the entry is damaged, truncated, of another version, or of another key.
  init?(encoded: Data, for key: RenditionKey) {
    guard encoded.count >= Self.prefixCount, encoded.starts(with: Self.magic) else { return nil }
    let start = encoded.startIndex
    let fieldCount = Int(encoded.integer(UInt32.self, at: 12))
    let (total, isTooMany) = Int(truncatingIfNeeded: encoded.integer(UInt64.self, at: 16))
      .addingReportingOverflow(Self.prefixCount + fieldCount)
    guard !isTooMany, total == encoded.count,
      encoded.integer(UInt64.self, at: 4) == Digest.checksum(of: encoded[(start + 12)...])
    else { return nil }

    let fileStart = start + Self.prefixCount + fieldCount
    var fields = FieldReader(encoded[(start + Self.prefixCount)..<fileStart])
    guard fields.string() == key.text, let contentType = fields.string(), let entityTag = fields.string(),
      let modified = fields.integers(), modified.count <= 1, let times = fields.integers(), times.count == 3,
      let windows = fields.integers(), windows.count == 2, let version = fields.integers(), version.count == 2
    else { return nil }
    // Entries of earlier versions end before these fields. Earlier versions ignore them.
    var sourceFields = SourceFields()
    sourceFields.texts = (0..<4).map { _ in fields.string().flatMap { $0.isEmpty ? nil : $0 } }
    let timestamps = times.map { Timestamp(milliseconds: $0) }
    var freshness = RenditionFreshness(
      checkedAt: timestamps[0], freshUntil: timestamps[1], revalidateAt: timestamps[2],
      staleWhileRevalidate: windows[0], staleIfError: windows[1])
    let attributes = fields.integers() ?? []
    freshness.cacheability = .init(number: attributes.first)
    // A copy, so that the indices of the data begin at zero.
    var rendition = Rendition(
      data: encoded.subdata(in: fileStart..<encoded.endIndex), contentType: contentType, entityTag: entityTag,
      lastModified: modified.first)
    if let sizes = fields.integers(), sizes.count == 4 {
      rendition.sizes = RenditionSizes(sourceWidth: sizes[0], sourceHeight: sizes[1], width: sizes[2], height: sizes[3])
    }
    self.init(
      rendition, freshness: freshness,
      source: SourceVersion(count: version[0], checksum: UInt64(UInt(bitPattern: version[1]))),
      sourceFields: sourceFields)
    if attributes.count > 1, attributes[1] != 0 { purge = PurgeID(UInt64(UInt(bitPattern: attributes[1]))) }
    if attributes.count > 3, let kind = SharedFailure.Kind(rawValue: attributes[2]) {
      self = failing(SharedFailure(kind: kind, until: Timestamp(milliseconds: attributes[3])))
    }
  }

  /// The cacheability, the last purge, and the failure: its kind, and until when it applies. 0 stands for none.
  private var attributes: [Int] {
    [
      freshness.cacheability.number, purge.map { Int(bitPattern: UInt($0.number)) } ?? 0, failure?.kind.rawValue ?? 0,
      failure?.until.milliseconds ?? 0,
    ]
  }
}

extension Rendition.Cacheability {
  /// - Parameter number: `nil` in entries of earlier versions, all of which are shared.
  fileprivate init(number: Int?) {
    switch number {
    case 1: self = .private
    case 2: self = .none
    default: self = .shared
    }
  }

  fileprivate var number: Int {
    switch self {
    case .shared: 0
    case .private: 1
    case .none: 2
    }
  }
}

extension SourceFields {
  /// Exactly four texts.
  var texts: [String?] {
    get { [entityTag, lastModified, cacheControl, expires] }
    set { (entityTag, lastModified, cacheControl, expires) = (newValue[0], newValue[1], newValue[2], newValue[3]) }
  }
}

/// Writes fields one after the other, each preceded by its length.
private struct FieldWriter {
  private(set) var bytes = Data()

  mutating func append(_ text: String) { append(Data(text.utf8)) }

  mutating func append(_ integers: [Int]) {
    var field = Data()
    for integer in integers {
      withUnsafeBytes(of: Int64(integer).littleEndian) { field.append(contentsOf: $0) }
    }
    append(field)
  }

  private mutating func append(_ field: Data) {
    withUnsafeBytes(of: UInt32(field.count).littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(field)
  }
}

private struct FieldReader {
  private var rest: Data

  init(_ bytes: Data) { rest = bytes }

  mutating func string() -> String? { field().flatMap { String(data: $0, encoding: .utf8) } }

  mutating func integers() -> [Int]? {
    guard let field = field(), field.count % 8 == 0 else { return nil }
    return stride(from: 0, to: field.count, by: 8).map {
      Int(Int64(truncatingIfNeeded: field.integer(UInt64.self, at: $0)))
    }
  }

  private mutating func field() -> Data? {
    guard rest.count >= 4 else { return nil }
    let count = Int(rest.integer(UInt32.self, at: 0))
    guard count <= rest.count - 4 else { return nil }
    defer { rest = rest.dropFirst(4 + count) }
    return rest.dropFirst(4).prefix(count)
  }
}

extension Data {
  /// Reads a number. All of its bytes must be present.
  fileprivate func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, at offset: Int) -> Integer {
    withUnsafeBytes { Integer(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
  }
}
