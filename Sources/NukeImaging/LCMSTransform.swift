internal import CNukeLCMS
import Foundation
import NukeBase

/// A `cmsHTRANSFORM` from a profile to 8-bit sRGB. It is immutable after creation, so it can be used from any thread.
final class LCMSTransform: @unchecked Sendable {
  private let transform: cmsHTRANSFORM
  private let componentByteCount: Int

  /// The key in the cache: a profile, and the number of bits of an input component.
  private struct Key: Equatable {
    var iccData: Data
    let bits: Int
  }

  /// The most recently used transforms. Creating one for a CMYK profile takes as long as converting half a million
  /// pixels, and images from the same source share their profile.
  private static let kept = Lock<[(key: Key, transform: LCMSTransform)]>([])
  private static let keptCount = 4
  /// The maximum size of a profile whose transform is cached, in bytes.
  private static let largestKept = 2 << 20

  /// Returns the transform for a profile, from the cache of recent ones if possible; `nil` if Little CMS cannot use the
  /// profile.
  ///
  /// - Parameter bits: the number of bits of an input component, 8 or 16.
  static func shared(iccData: Data, model: ColorProfile.Model, bits: Int) -> LCMSTransform? {
    var key = Key(iccData: iccData, bits: bits)
    let known = kept.withLock { kept -> LCMSTransform? in
      guard let index = kept.firstIndex(where: { $0.key == key }) else { return nil }
      let entry = kept.remove(at: index)
      kept.append(entry)
      return entry.transform
    }
    if let known { return known }
    // Two threads may create the same transform. Both are cached, which does no harm.
    guard let made = LCMSTransform(iccData: iccData, model: model, bits: bits) else { return nil }
    guard iccData.count <= largestKept else { return made }
    // A copy, because a slice would retain the whole file.
    key.iccData = iccData.withUnsafeBytes { Data($0) }
    kept.withLock { [key] kept in
      kept.append((key, made))
      if kept.count > keptCount { kept.removeFirst() }
    }
    return made
  }

  /// Returns `nil` if Little CMS cannot use the profile.
  private init?(iccData: Data, model: ColorProfile.Model, bits: Int) {
    guard iccData.count <= Int(UInt32.max) else { return nil }
    let source = iccData.withUnsafeBytes { cmsOpenProfileFromMem($0.baseAddress, cmsUInt32Number($0.count)) }
    guard let source else { return nil }
    defer { cmsCloseProfile(source) }
    guard let target = cmsCreate_sRGBProfile() else { return nil }
    defer { cmsCloseProfile(target) }

    func format(_ space: Int32, channels: UInt32, extra: UInt32, bits: Int) -> cmsUInt32Number {
      UInt32(space) << 16 | extra << 7 | channels << 3 | UInt32(bits / 8)
    }
    let input =
      switch model {
      case .gray: format(PT_GRAY, channels: 1, extra: 0, bits: bits)
      case .rgb: format(PT_RGB, channels: 3, extra: 1, bits: bits)
      case .cmyk: format(PT_CMYK, channels: 4, extra: 0, bits: bits)
      }
    // By default, Little CMS samples all steps into one table, which is inaccurate in dark colors. For 16-bit pixels
    // the steps are applied one by one, which takes ten times as long. For gray, the result becomes a table of our own
    // anyway.
    let isExact = bits == 16 || model == .gray
    let flags = [
      (cmsFLAGS_BLACKPOINTCOMPENSATION, true), (cmsFLAGS_COPY_ALPHA, model == .rgb), (cmsFLAGS_NOOPTIMIZE, isExact),
    ].reduce(cmsUInt32Number(0)) { $1.1 ? $0 | cmsUInt32Number($1.0) : $0 }
    let transform = cmsCreateTransform(
      source, input, target, format(PT_RGB, channels: 3, extra: 1, bits: 8),
      cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC), flags)
    guard let transform else { return nil }
    self.transform = transform
    componentByteCount = bits / 8
  }

  deinit { cmsDeleteTransform(transform) }

  /// Converts four components per pixel, with the transform's number of bits, to four bytes. Alpha is copied from RGBA,
  /// and not written for CMYK.
  func convert(_ source: UnsafeRawPointer, to target: UnsafeMutablePointer<UInt8>, pixelCount: Int) {
    var done = 0
    while done < pixelCount {
      let count = min(pixelCount - done, 1 << 20)
      cmsDoTransform(transform, source + done * 4 * componentByteCount, target + done * 4, cmsUInt32Number(count))
      done += count
    }
  }

  /// Returns the bytes for gray values with the transform's number of bits.
  func grayTable<Gray: FixedWidthInteger>(_ grays: [Gray]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: grays.count * 4)
    cmsDoTransform(transform, grays, &output, cmsUInt32Number(grays.count))
    return grays.indices.map { output[$0 * 4] }
  }
}
