import Foundation
import NukeLegacy
import NukeTesting

func imageURL(_ name: String) -> URL { URL(string: "https://pictures.test/\(name)")! }

/// A failure that a test makes.
struct Failure: Error, Equatable {
  var number = 0
}

/// Gives what it is asked for when the test says so.
final class HeldLoader: Loading {
  struct Call: Sendable {
    let request: Request
    let token: CancellationToken?
    let fulfill: @Sendable (Image) -> Void
    let reject: @Sendable (any Error) -> Void
  }

  private let state = Lock([Call]())
  private let heedsTokens: Bool

  /// - Parameter heedsTokens: whether what is canceled fails soon, as it should.
  init(heedsTokens: Bool = true) { self.heedsTokens = heedsTokens }

  var calls: [Call] { state.withLock { $0 } }

  func loadImage(with request: Request, token: CancellationToken?) -> Promise<Image> {
    Promise { fulfill, reject in
      state.withLock { $0.append(Call(request: request, token: token, fulfill: fulfill, reject: reject)) }
      if heedsTokens { token?.register { reject(Failure(number: -1)) } }
    }
  }
}

/// Makes the image smaller by leaving pixels out. Not hashable, as few of version 4's processors were.
struct Every: Processing {
  let nth: Int
  var log: CallLog?

  func process(_ image: Image) -> Image? {
    log?.append("every \(nth)")
    return SampleImage.bitmap(width: image.pixelWidth / nth, height: image.pixelHeight / nth)
  }

  static func == (lhs: Every, rhs: Every) -> Bool { lhs.nth == rhs.nth }
}

/// The error of a promise that is to have one.
func failure<T>(of promise: Promise<T>) async -> (any Error)? {
  do {
    _ = try await promise.value
    return nil
  } catch {
    return error
  }
}

/// Returns `true` if a load ended because it was canceled.
func isCancelled(_ error: (any Error)?) -> Bool {
  if case .cancelled? = error as? ImagePipeline.Error { true } else { false }
}
