/// The client hints that a server uses for values that the URL leaves open.
public struct ClientHints: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// `Sec-CH-DPR` or `DPR`: the number of pixels per CSS pixel.
  public static let dpr = ClientHints(rawValue: 1)
  /// `Sec-CH-Width` or `Width`: the width in pixels at which the image is shown.
  public static let width = ClientHints(rawValue: 2)
  /// `Sec-CH-Viewport-Width` or `Viewport-Width`: the width of the viewport in CSS pixels.
  public static let viewportWidth = ClientHints(rawValue: 4)
  /// `Save-Data: on`: the client prefers smaller files.
  public static let saveData = ClientHints(rawValue: 8)
}

extension ClientHints {
  /// The value of `Accept-CH`; `nil` if no hints are requested. Browsers send `Save-Data` without being asked.
  var acceptCH: String? {
    let names: [(ClientHints, String)] = [
      (.dpr, "Sec-CH-DPR"), (.width, "Sec-CH-Width"), (.viewportWidth, "Sec-CH-Viewport-Width"),
    ]
    let asked = names.filter { contains($0.0) }.map(\.1)
    return asked.isEmpty ? nil : asked.joined(separator: ", ")
  }

  /// The request fields that the response depends on.
  var varied: VariedFields {
    let fields: [(ClientHints, VariedFields)] = [
      (.dpr, .dpr), (.width, .width), (.viewportWidth, .viewportWidth), (.saveData, .saveData),
    ]
    return fields.reduce(into: []) { if contains($1.0) { $0.insert($1.1) } }
  }

  /// Sets the options that the URL leaves open to the client's values.
  ///
  /// Values are rounded up to one of a few steps, so that clients cannot fill caches with variants of one URL.
  ///
  /// - Parameters:
  ///   - hasDPR: `true` if the URL sets ``ImageOptions/dpr``.
  ///   - quality: the quality for `Save-Data`.
  /// - Returns: the request fields that were used, or would have been used if they had been sent.
  func apply(to request: inout RenditionRequest, _ head: RequestHead, hasDPR: Bool, quality: Int) -> VariedFields {
    var varied: VariedFields = []
    guard !isEmpty, !request.options.isRaw, request.options.placeholder == nil else { return varied }
    var savesData = false
    if contains(.saveData) {
      varied.insert(.saveData)
      savesData = head[.saveData].map { $0.lowercased() == "on" } ?? false
    }
    if savesData, request.options.quality == nil, request.options.formatQuality.isEmpty {
      request.options.quality = quality
    }
    if contains(.dpr), !hasDPR {
      varied.insert(.dpr)
      if !savesData, let dpr = Self.dpr(head[.secCHDPR] ?? head[.dpr]) { request.options.dpr = dpr }
    }
    guard request.options.width == 0, request.options.height == 0 else { return varied }
    if contains(.width) {
      varied.insert(.width)
      if let width = Self.width(head[.secCHWidth] ?? head[.width]) {
        // The hint is in pixels, the option in CSS pixels.
        request.options.width = max(1, Int((Double(width) / request.options.dpr).rounded(.up)))
        return varied
      }
    }
    if contains(.viewportWidth) {
      varied.insert(.viewportWidth)
      if let width = Self.width(head[.secCHViewportWidth] ?? head[.viewportWidth]) { request.options.width = width }
    }
    return varied
  }

  static let dprSteps = [1, 1.5, 2, 3, 4, 8]
  static let widthSteps = [160, 320, 480, 640, 800, 960, 1280, 1600, 1920, 2560, 3840]

  /// Returns `nil` unless the value is a number above 0 and at most 8.
  private static func dpr(_ text: String?) -> Double? {
    guard let text, text.utf8.count <= 8, text.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }),
      let value = Double(text), value > 0
    else { return nil }
    return dprSteps.first { value <= $0 }
  }

  /// Returns `nil` unless the value is a positive number.
  private static func width(_ text: String?) -> Int? {
    guard let text, text.utf8.count <= 8, text.utf8.allSatisfy(\.isDigit),
      let value = Int(text), value > 0
    else { return nil }
    return widthSteps.first { value <= $0 } ?? widthSteps.last
  }
}
