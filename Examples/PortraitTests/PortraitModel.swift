// The code of the program. It is in the test target to keep the example small.
import Foundation
import Nuke

/// What a row of a list shows for a person: initials, until the person's image is loaded.
@MainActor final class PortraitModel {
  enum Content: Equatable {
    case initials
    case loading(percent: Int64)
    case image(width: Int, height: Int)
    case unavailable
  }

  private(set) var content = Content.initials {
    didSet { onChange(content) }
  }

  private let pipeline: ImagePipeline
  private let onChange: (Content) -> Void
  private var task: ImageTask?

  /// - Parameters:
  /// - pipeline: loads the images. Tests pass their own.
  ///   - onChange: called with each new content.
  init(pipeline: ImagePipeline = .shared, onChange: @escaping (Content) -> Void = { _ in }) {
    self.pipeline = pipeline
    self.onChange = onChange
  }

  /// Shows the image at a URL, and cancels the load of the one before.
  func show(_ url: URL) {
    task?.cancel()
    content = .initials
    let request = ImageRequest(url: url, processors: [.resize(width: 64, unit: .pixels)])
    task = pipeline.loadImage(with: request) { [weak self] _, completed, total in
      if total > 0 { self?.content = .loading(percent: completed * 100 / total) }
    } completion: { [weak self] result in
      switch result {
      case .success(let response):
        self?.content = .image(width: response.image.pixelWidth, height: response.image.pixelHeight)
      case .failure: self?.content = .unavailable
      }
    }
  }
}
