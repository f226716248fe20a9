internal import CNukeLCMS
import Foundation

/// One `cmsHTRANSFORM` from a profile to sRGB. It is only read after it was made, so any thread may use it.
final class LCMSTransform: @unchecked Sendable {
  private let transform: cmsHTRANSFORM
  private let model: ColorProfile.Model

  /// The transforms used last. Making one of a CMYK profile costs as much as converting half a million pixels, and
  /// images of one origin share their profile.
  private static let kept = Lock<[(iccData: Data, transform: LCMSTransform)]>([])
  private static let keptCount = 4
  /// Larger profiles, in bytes, are not kept.
  private static let largestKept = 2 << 20

  /// Returns the transform for a profile, from the cache of recent ones if possible; `nil` as for the initializer.
  static func shared(iccData: Data, model: ColorProfile.Model) -> LCMSTransform? {
    let known = kept.withLock { kept -> LCMSTransform? in
      guard let index = kept.firstIndex(where: { $0.iccData == iccData }) else { return nil }
      let entry = kept.remove(at: index)
      kept.append(entry)
      return entry.transform
    }
    if let known { return known }
    // Two threads may both make it; the second one kept does no harm.
    guard let made = LCMSTransform(iccData: iccData, model: model) else { return nil }
    guard iccData.count <= largestKept else { return made }
    // A copy, since a slice would keep the whole file.
    let copy = iccData.withUnsafeBytes { Data($0) }
    kept.withLock { kept in
      kept.append((copy, made))
      if kept.count > keptCount { kept.removeFirst() }
    }
    return made
  }

  /// `nil` if Little CMS cannot make sense of the profile.
  private init?(iccData: Data, model: ColorProfile.Model) {
    guard iccData.count <= Int(UInt32.max) else { return nil }
    let source = iccData.withUnsafeBytes { cmsOpenProfileFromMem($0.baseAddress, cmsUInt32Number($0.count)) }
    guard let source else { return nil }
    defer { cmsCloseProfile(source) }
    guard let target = cmsCreate_sRGBProfile() else { return nil }
    defer { cmsCloseProfile(target) }

    func format(_ space: Int32, channels: UInt32, extra: UInt32) -> cmsUInt32Number {
      UInt32(space) << 16 | extra << 7 | channels << 3 | 1
    }
    let input =
      switch model {
      case .gray: format(PT_GRAY, channels: 1, extra: 0)
      case .rgb: format(PT_RGB, channels: 3, extra: 1)
      case .cmyk: format(PT_CMYK, channels: 4, extra: 0)
      }
    let flags =
      cmsUInt32Number(cmsFLAGS_BLACKPOINTCOMPENSATION) | (model == .rgb ? cmsUInt32Number(cmsFLAGS_COPY_ALPHA) : 0)
    let transform = cmsCreateTransform(
      source, input, target, format(PT_RGB, channels: 3, extra: 1), cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC), flags
    )
    guard let transform else { return nil }
    self.transform = transform
    self.model = model
  }

  deinit { cmsDeleteTransform(transform) }

  /// Four bytes a pixel on both sides; alpha is copied from RGBA, and left alone from CMYK.
  func convert(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, pixelCount: Int) {
    var done = 0
    while done < pixelCount {
      let count = min(pixelCount - done, 1 << 20)
      cmsDoTransform(transform, source + done * 4, target + done * 4, cmsUInt32Number(count))
      done += count
    }
  }

  /// The color for each gray value.
  func grayTable() -> [UInt8] {
    let input = (0...255).map { UInt8($0) }
    var output = [UInt8](repeating: 0, count: 1024)
    cmsDoTransform(transform, input, &output, 256)
    return (0...255).map { output[$0 * 4] }
  }
}
