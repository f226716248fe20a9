import Foundation
import FoundationNetworking
import NukeCodecs

extension ImageRequest {
  /// The source of the image.
  enum Resource: Sendable {
    case url(URL?)
    case urlRequest(URLRequest)
    case data(id: String, @Sendable () async throws -> Data)
    case bytes(id: String, Data)
    case image(id: String, @Sendable () async throws -> ImageContainer)

    var id: String? {
      switch self {
      case .url, .urlRequest: url
      case .data(let id, _), .bytes(let id, _), .image(let id, _): id
      }
    }

    /// The text of the URL; `nil` for closures.
    var url: String? {
      switch self {
      case .url(let url): url?.absoluteString
      case .urlRequest(let request): request.url?.absoluteString
      case .data, .bytes, .image: nil
      }
    }
  }

  /// The fields of a request, shared by its copies until one is changed.
  final class Storage: @unchecked Sendable {
    /// The first field, because it is all that a cache look-up reads of a request.
    private let lazyIdentity = OnceReference<RequestIdentity.Buffer>()
    let resource: Resource
    var processors: [any ImageProcessing]
    var priority: Priority
    var options: Options
    /// Properties that few requests set, so that other requests need no memory for them. Not shared with other
    /// storages.
    private var rare: Rare?
    /// `false` if all properties that few requests set have their defaults.
    var hasRareProperties: Bool { rare != nil }

    init(resource: Resource, processors: [any ImageProcessing], priority: Priority, options: Options) {
      self.resource = resource
      self.processors = processors
      self.priority = priority
      self.options = options
    }

    private final class Rare {
      /// The values that were set explicitly.
      var imageID: String?
      var scale: CGFloat?
      var thumbnail: ThumbnailOptions?
      var posterFrame = PosterFrame.first
      var opened: (any OpenedImage)?
      var userInfo: [UserInfoKey: any Sendable] = [:]
      var freshnessPolicy: ImagePipeline.FreshnessPolicy?
      var maxStale: TimeInterval?

      init() {}

      init(copying other: Rare) {
        (imageID, scale, thumbnail, userInfo) = (other.imageID, other.scale, other.thumbnail, other.userInfo)
        (posterFrame, opened) = (other.posterFrame, other.opened)
        (freshnessPolicy, maxStale) = (other.freshnessPolicy, other.maxStale)
      }
    }

    private func change(_ body: (Rare) -> Void) {
      let rare = rare ?? Rare()
      self.rare = rare
      body(rare)
    }

    var userInfo: [UserInfoKey: any Sendable] {
      get { rare?.userInfo ?? [:] }
      set { change { $0.userInfo = newValue } }
    }

    // Older versions store these values in `userInfo`. The most recently set value applies, so setting one of them
    // removes the other.

    var imageID: String? {
      get { rare.flatMap { $0.userInfo.imageID ?? $0.imageID } }
      set {
        change {
          $0.imageID = newValue
          $0.userInfo.remove(.imageID)
        }
      }
    }

    var scale: CGFloat? {
      get { rare.flatMap { $0.userInfo.scale ?? $0.scale } }
      set {
        change {
          $0.scale = newValue
          $0.userInfo.remove(.scale)
        }
      }
    }

    var thumbnail: ThumbnailOptions? {
      get { rare.flatMap { $0.userInfo.thumbnail ?? $0.thumbnail } }
      set {
        change {
          $0.thumbnail = newValue
          $0.userInfo.remove(.thumbnail)
        }
      }
    }

    var posterFrame: PosterFrame {
      get { rare?.posterFrame ?? .first }
      set { change { $0.posterFrame = newValue } }
    }

    /// The original, if it was opened before the load.
    var opened: (any OpenedImage)? {
      get { rare?.opened }
      set { change { $0.opened = newValue } }
    }

    var freshnessPolicy: ImagePipeline.FreshnessPolicy? {
      get { rare?.freshnessPolicy }
      set { change { $0.freshnessPolicy = newValue } }
    }

    var hasFreshnessPolicy: Bool { rare != nil && freshnessPolicy != nil }

    var maxStale: TimeInterval? {
      get { rare?.maxStale }
      set { change { $0.maxStale = newValue } }
    }

    /// Created on first use, because a request may be created on a thread that should not spend time on hashing URLs.
    var identity: RequestIdentity {
      // Not inlined, since callers would retain the storage for it.
      @inline(never) get {
        if let buffer = lazyIdentity.load() { return RequestIdentity(buffer: buffer) }
        return makeIdentity()
      }
    }

    @inline(never)
    private func makeIdentity() -> RequestIdentity {
      RequestIdentity(buffer: lazyIdentity.storeIfNil(RequestIdentity(self).buffer))
    }

    var hasIdentity: Bool { lazyIdentity.address != 0 }

    func copy(keepingIdentity: Bool) -> Storage {
      let copy = Storage(resource: resource, processors: processors, priority: priority, options: options)
      copy.rare = rare.map(Rare.init(copying:))
      if keepingIdentity, let identity = lazyIdentity.load() { _ = copy.lazyIdentity.storeIfNil(identity) }
      return copy
    }
  }
}
