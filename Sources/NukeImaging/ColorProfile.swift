package import Foundation
import NukeBase

/// The color space of an image: an embedded ICC profile, the gamma and primaries of a PNG, or ITU-T H.273 code points.
///
/// A profile that equals sRGB, judged by its values and not only its name, needs no conversion. Profiles with three
/// curves and a matrix are converted with our own tables. All others (color tables, CMYK) are converted by Little CMS,
/// with the relative colorimetric intent and black point compensation, like most image viewers.
///
/// For a damaged profile, the initializer returns `nil`, and the image counts as sRGB. A profile can be used from any
/// thread. Its tables are created on first use.
package final class ColorProfile: Sendable {
  /// The color model of a profile.
  package enum Model: Sendable {
    case gray, rgb, cmyk
  }

  /// "sRGB" if the profile equals sRGB; otherwise, its description.
  package let name: String
  /// `true` if pixels need no conversion.
  package let isSRGB: Bool
  package let model: Model
  let source: Source
  private let cached = Lock<Conversion?>(nil)
  /// The conversions, by the number of bits per component.
  let deepConversions = Lock<[Int: DeepColors]>([:])

  /// The source of the conversion.
  enum Source: Sendable {
    case gray(ToneCurve)
    case matrix(ColorMatrix, ToneCurve, ToneCurve, ToneCurve)
    case highRange(ColorMatrix, HighRange)
    case icc(Data)
  }

  private enum Conversion: Sendable {
    case none
    case gray([UInt8])
    case matrix(MatrixConversion)
    case highRange(DeepConversion)
    case lcms(LCMSTransform)
  }

  /// Creates a profile from ICC data; `nil` if the data is damaged or not an image profile.
  package init?(iccData: Data) {
    guard let icc = ICCProfile(iccData), let model = icc.model else { return nil }
    self.model = model
    source =
      switch model {
      case .gray where icc.connectsThroughXYZ: icc.curve("kTRC").map { .gray($0) } ?? .icc(iccData)
      case .rgb where !icc.hasColorTable: icc.matrixSource.map { .matrix($0, $1, $2, $3) } ?? .icc(iccData)
      default: .icc(iccData)
      }
    isSRGB = icc.isKnownSRGB || source.isSRGB
    name = isSRGB ? "sRGB" : icc.name ?? "unnamed"
  }

  /// Creates a profile from the `gAMA` and `cHRM` chunks of a PNG; `nil` if the values are invalid.
  ///
  /// - Parameters:
  ///   - gamma: the exponent with which samples were encoded, usually 0.45455. Values close to that mean sRGB's curve,
  ///     which is what the programs that write them intend.
  ///   - chromaticities: the white point and the primaries; `nil` for sRGB's.
  package init?(gamma: Double, chromaticities: Chromaticities?) {
    guard gamma.isFinite, gamma > 0.05, gamma < 10, let matrix = (chromaticities ?? .sRGB).matrixToD50 else {
      return nil
    }
    let curve: ToneCurve = abs(gamma - 1 / 2.2) < 0.01 ? .sRGB : .gamma(1 / gamma)
    model = .rgb
    source = .matrix(matrix, curve, curve, curve)
    isSRGB = source.isSRGB
    name = isSRGB ? "sRGB" : "gamma \((100 / gamma).rounded() / 100)"
  }

  /// Creates an RGB profile. The name is replaced if the profile equals sRGB.
  init(_ source: Source, name: String) {
    model = .rgb
    self.source = source
    isSRGB = source.isSRGB
    self.name = isSRGB ? "sRGB" : name
  }

  /// Converts straight (not premultiplied) RGBA8 pixels to sRGB, in place. Alpha is unchanged. With a gray profile, the
  /// curve is applied to each channel. With a CMYK profile, nothing is converted.
  ///
  /// - Parameter isOpaque: if `false`, pixels with an alpha of 0 may be left unconverted.
  package func convertToSRGB(_ buffer: PixelBuffer, isOpaque: Bool) {
    convertToSRGB(buffer.base, pixelCount: buffer.width * buffer.height, isOpaque: isOpaque)
  }

  /// Converts `pixelCount` pixels of four bytes at `pixels`.
  package func convertToSRGB(_ pixels: UnsafeMutablePointer<UInt8>, pixelCount: Int, isOpaque: Bool) {
    guard !isSRGB, model != .cmyk else { return }
    switch conversion() {
    case .none: break
    case .gray(let table):
      table.withUnsafeBufferPointer { table in
        var pixel = pixels
        for _ in 0..<pixelCount {
          pixel[0] = table[Int(pixel[0])]
          pixel[1] = table[Int(pixel[1])]
          pixel[2] = table[Int(pixel[2])]
          pixel += 4
        }
      }
    case .matrix(let conversion): conversion.convert(pixels, pixelCount: pixelCount, isOpaque: isOpaque)
    case .highRange(let conversion): conversion.convertBytes(pixels, pixelCount: pixelCount)
    case .lcms(let transform): transform.convert(pixels, to: pixels, pixelCount: pixelCount)
    }
  }

  /// Converts CMYK pixels of four bytes (255 is full ink) to opaque sRGB RGBA8. `target` may be `source`.
  ///
  /// - Returns: `false` without writing anything, if this is not a usable CMYK profile.
  package func convertCMYKToSRGB(
    _ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, pixelCount: Int
  ) -> Bool {
    guard model == .cmyk, case .lcms(let transform) = conversion() else { return false }
    transform.convert(source, to: target, pixelCount: pixelCount)
    for index in 0..<pixelCount { target[index * 4 + 3] = 255 }
    return true
  }

  /// Returns the conversion, which is created once. Other threads wait, because a table of Little CMS can take
  /// milliseconds.
  private func conversion() -> Conversion {
    cached.withLock { cached in
      if let cached { return cached }
      let made: Conversion =
        switch source {
        case .gray(let curve): .gray((0...255).map { SRGB.encodedByte(curve.linear(Double($0) / 255)) })
        case .matrix(let matrix, let red, let green, let blue):
          .matrix(MatrixConversion(matrix: matrix, red: red, green: green, blue: blue))
        case .highRange(let matrix, let range): .highRange(DeepConversion(bits: 8, matrix: matrix, range: range))
        case .icc(let data):
          switch LCMSTransform.shared(iccData: data, model: model, bits: 8) {
          case nil: .none
          case let transform? where model == .gray: .gray(transform.grayTable((0...255).map(UInt8.init)))
          case let transform?: .lcms(transform)
          }
        }
      cached = made
      return made
    }
  }
}

extension ColorProfile.Source {
  /// `true` if a conversion would change no value by more than one step of 255, apart from rounding.
  fileprivate var isSRGB: Bool {
    switch self {
    case .gray(let curve): curve.isSRGB
    case .matrix(let matrix, let red, let green, let blue):
      matrix.isSRGB && red.isSRGB && green.isSRGB && blue.isSRGB
    case .highRange, .icc: false
    }
  }
}
