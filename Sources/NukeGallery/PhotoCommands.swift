#if GTK
  import Foundation
  import NukeGTK

  /// Runs commands on the photo that is shown. Work on files is done in order on another thread, and what fails is said in
  /// the window.
  @MainActor final class PhotoCommands {
    let menu = PhotoMenu()
    let openWith = OpenWithMenu()
    /// Called when the file of a photo has been rotated.
    var onRotate: (@MainActor (URL) -> Void)?
    /// Called when the file of a photo is in the trash.
    var onTrash: (@MainActor (URL) -> Void)?
    private let pipeline: ImagePipeline
    private let notice: Notice
    /// The files that are being moved to the trash.
    private var trashing: Set<URL> = []
    private let files = DispatchQueue(label: "nuke-gallery.files")

    /// - Parameter notice: shows messages.
    init(_ pipeline: ImagePipeline, notice: Notice) {
      self.pipeline = pipeline
      self.notice = notice
      menu.onCommand = { [weak self] in self?.run($0) }
      openWith.onOpen = { [weak self] in self?.open(with: $0) }
    }

    /// The request of the photo that is shown; `nil` if there is none.
    var request: ImageRequest? {
      didSet {
        menu.show(request?.url)
        openWith.show(request?.url)
      }
    }

    func run(_ command: PhotoCommand) {
      guard let request, let url = request.url else { return }
      if let obstacle = command.obstacle(for: url) { return notice.show(obstacle) }
      switch command {
      case .rotateClockwise: rotate(url, isClockwise: true)
      case .rotateCounterclockwise: rotate(url, isClockwise: false)
      case .copyImage: copy(request)
      case .copyPath:
        Clipboard.copy(url.isFileURL ? String(decoding: PhotoStore.path(of: url), as: UTF8.self) : url.absoluteString)
      case .showInFolder: showInFolder(url)
      case .trash: trash(url)
      }
    }

    /// Waits for work on files that has begun, at the end of the program.
    func finish() { files.sync {} }

    private func rotate(_ url: URL, isClockwise: Bool) {
      Task {
        let result = await offMainThread(files) {
          Result { () throws(PhotoFailure) in try PhotoRotation.rotate(url, isClockwise: isClockwise) }
        }
        report(result) { onRotate?(url) }
      }
    }

    private func trash(_ url: URL) {
      // A second key before the first has had its effect.
      guard trashing.insert(url).inserted else { return }
      Task {
        let result = await offMainThread(files) { Result { () throws(PhotoFailure) in try PhotoTrash.move(url) } }
        trashing.remove(url)
        report(result) {
          notice.show("“\(url.displayName)” was moved to the trash.")
          onTrash?(url)
        }
      }
    }

    /// Copies all pixels of the image, and not only those that the window shows.
    private func copy(_ request: ImageRequest) {
      Task {
        do throws(ImagePipeline.Error) {
          guard let texture = try await pipeline.image(for: request).texture else { return }
          Clipboard.copy(texture)
          notice.show("The image was copied.")
        } catch {
          notice.show("The image was not copied: \(error)")
        }
      }
    }

    private func showInFolder(_ url: URL) {
      Task {
        let isShown = await offMainThread { FileManagers.show(url) }
        if isShown { return }
        report(Result { () throws(PhotoFailure) in try FileManagers.openFolder(of: url) }) {}
      }
    }

    private func open(with application: DesktopApplication) {
      guard let url = request?.url else { return }
      report(Result { () throws(PhotoFailure) in try application.open(url) }) {}
    }

    private func report(_ result: Result<Void, PhotoFailure>, _ success: () -> Void) {
      switch result {
      case .success: success()
      case .failure(let failure): notice.show("\(failure)")
      }
    }
  }
#endif
