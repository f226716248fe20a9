import Foundation
import FoundationNetworking

extension ImageRequest {
  /// Where the picture comes from.
  enum Resource: Sendable {
    case url(URL?)
    case urlRequest(URLRequest)
    case data(id: String, @Sendable () async throws -> Data)
    case image(id: String, @Sendable () async throws -> ImageContainer)

    var id: String? {
      switch self {
      case .url(let url): url?.absoluteString
      case .urlRequest(let request): request.url?.absoluteString
      case .data(let id, _), .image(let id, _): id
      }
    }
  }

  /// The fields of a request, shared by its copies until one is changed.
  final class Storage: @unchecked Sendable {
    let resource: Resource
    var processors: [any ImageProcessing]
    var priority: Priority
    var options: Options
    /// What the request's own properties were set to.
    private var own = OwnValues()
    var userInfo: [UserInfoKey: any Sendable] = [:]
    private let lazyIdentity = OnceReference<RequestIdentity>()

    init(resource: Resource, processors: [any ImageProcessing], priority: Priority, options: Options) {
      self.resource = resource
      self.processors = processors
      self.priority = priority
      self.options = options
    }

    private struct OwnValues {
      var imageID: String?
      var scale: CGFloat?
      var thumbnail: ThumbnailOptions?
    }

    // Older versions keep these in `userInfo`. What was said last counts, so setting one takes the other away.

    var imageID: String? {
      get { userInfo.imageID ?? own.imageID }
      set {
        own.imageID = newValue
        userInfo.remove(.imageID)
      }
    }

    var scale: CGFloat? {
      get { userInfo.scale ?? own.scale }
      set {
        own.scale = newValue
        userInfo.remove(.scale)
      }
    }

    var thumbnail: ThumbnailOptions? {
      get { userInfo.thumbnail ?? own.thumbnail }
      set {
        own.thumbnail = newValue
        userInfo.remove(.thumbnail)
      }
    }

    /// Made at the first use, since a request may be made on a thread that should not hash URLs, and then kept.
    var identity: RequestIdentity {
      lazyIdentity.load() ?? lazyIdentity.storeIfNil(RequestIdentity(self))
    }

    var hasIdentity: Bool { lazyIdentity.address != 0 }

    func copy(keepingIdentity: Bool) -> Storage {
      let copy = Storage(resource: resource, processors: processors, priority: priority, options: options)
      copy.own = own
      copy.userInfo = userInfo
      if keepingIdentity, let identity = lazyIdentity.load() { _ = copy.lazyIdentity.storeIfNil(identity) }
      return copy
    }
  }
}
