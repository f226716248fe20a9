internal import CNukeLCMS
import Foundation

/// One `cmsHTRANSFORM` from a profile to sRGB of 8 bits. It is only read after it was made, so any thread may use it.
final class LCMSTransform: @unchecked Sendable {
  private let transform: cmsHTRANSFORM
  private let componentByteCount: Int

  /// The key in the list of transforms: a profile, and the bits of a component that goes in.
  private struct Key: Equatable {
    var iccData: Data
    let bits: Int
  }

  /// The transforms used last. Making one of a CMYK profile costs as much as converting half a million pixels, and
  /// images of one origin share their profile.
  private static let kept = Lock<[(key: Key, transform: LCMSTransform)]>([])
  private static let keptCount = 4
  /// Larger profiles, in bytes, are not kept.
  private static let largestKept = 2 << 20

  /// Returns the transform for a profile, from the cache of recent ones if possible; `nil` as for the initializer.
  ///
  /// - Parameter bits: of a component that goes in, 8 or 16.
  static func shared(iccData: Data, model: ColorProfile.Model, bits: Int) -> LCMSTransform? {
    var key = Key(iccData: iccData, bits: bits)
    let known = kept.withLock { kept -> LCMSTransform? in
      guard let index = kept.firstIndex(where: { $0.key == key }) else { return nil }
      let entry = kept.remove(at: index)
      kept.append(entry)
      return entry.transform
    }
    if let known { return known }
    // Two threads may both make it; the second one kept does no harm.
    guard let made = LCMSTransform(iccData: iccData, model: model, bits: bits) else { return nil }
    guard iccData.count <= largestKept else { return made }
    // A copy, since a slice would keep the whole file.
    key.iccData = iccData.withUnsafeBytes { Data($0) }
    kept.withLock { [key] kept in
      kept.append((key, made))
      if kept.count > keptCount { kept.removeFirst() }
    }
    return made
  }

  /// `nil` if Little CMS cannot make sense of the profile.
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
    // To be fast, Little CMS samples all steps into one table, which is some levels off in dark colors. Pixels of 16
    // bits take the steps one by one, at ten times the cost; of gray that is a table of our own anyway.
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

  /// Converts four components a pixel, of the bits that the transform is made for, to four bytes; alpha is copied from
  /// RGBA, and left alone from CMYK.
  func convert(_ source: UnsafeRawPointer, to target: UnsafeMutablePointer<UInt8>, pixelCount: Int) {
    var done = 0
    while done < pixelCount {
      let count = min(pixelCount - done, 1 << 20)
      cmsDoTransform(transform, source + done * 4 * componentByteCount, target + done * 4, cmsUInt32Number(count))
      done += count
    }
  }

  /// What each gray of `grays` becomes, of as many bits as the transform is made for.
  func grayTable<Gray: FixedWidthInteger>(_ grays: [Gray]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: grays.count * 4)
    cmsDoTransform(transform, grays, &output, cmsUInt32Number(grays.count))
    return grays.indices.map { output[$0 * 4] }
  }
}
