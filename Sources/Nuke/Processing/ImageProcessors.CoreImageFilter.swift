public import NukeImaging

extension ImageProcessors {
  /// Applies a filter by its Core Image name.
  ///
  /// `ImageFilters` lists the filters with their formulas, and registers your own. Keys, defaults and units are those
  /// of Apple's *Core Image Filter Reference*. In a ``Composition``, adjacent color filters run in a single pass.
  ///
  /// ```swift
  /// ImageProcessors.CoreImageFilter(name: "CISepiaTone")
  /// ImageProcessors.CoreImageFilter(
  ///   name: "CIColorControls", parameters: ["inputSaturation": 0.5], identifier: "muted")
  /// ```
  public struct CoreImageFilter: ImageProcessing, CustomStringConvertible {
    /// The configured filter, or the reason for which it is unavailable.
    private let prepared: Result<Prepared, Error>
    private let name: String
    private let parameters: String
    public let identifier: String

    private struct Prepared: Sendable {
      let filter: any ImageFilter
      let values: ImageFilterValues
    }

    /// Creates a processor that applies a filter with its default values.
    ///
    /// - Parameter name: the name, such as `CISepiaTone`. An unknown name is an error when an image is processed.
    public init(name: String) {
      self.init(name: name, parameters: [:], identifier: "org.nuke.core_image?name=\(name)")
    }

    /// Creates a processor that applies a filter with the given values.
    ///
    /// The values are read immediately, so that the processor can be sent to other threads. For an unknown key, a value
    /// of another type or a missing value, ``process(_:context:)`` throws ``Error/failedToCreateFilter(name:parameters:)``.
    ///
    /// - Parameters:
    ///   - name: the name, such as `CISepiaTone`.
    ///   - parameters: numbers of any type, arrays of numbers for vectors, `CGPoint`, `CGSize`, `CGRect`, `Color`,
    ///     `Bitmap`, `Data`. Keys that are not given have the filter's defaults.
    ///   - identifier: identifies the filter and its values. It must differ for filters with different results.
    public init(name: String, parameters: [String: Any], identifier: String) {
      self.name = name
      self.identifier = identifier
      let values = parameters.map { "\"\($0)\": \($1)" }.sorted().joined(separator: ", ")
      let text = "[\(values.isEmpty ? ":" : values)]"
      self.parameters = text
      prepared = Result { () throws(ImageFilterError) -> Prepared in
        let filter = try ImageFilters.filter(named: name)
        return Prepared(filter: filter, values: try ImageFilterValues(parameters, for: filter))
      }.mapError { .failedToCreateFilter(name: name, parameters: .init(description: text, reason: $0)) }
    }

    /// - Returns: `nil` if the image has no pixels, or the filter fails.
    public func process(_ image: PlatformImage) -> PlatformImage? { try? filter(image) }

    /// The errors of the processor.
    public enum Error: Swift.Error, CustomStringConvertible {
      /// There is no filter of this name, or a parameter is wrong.
      case failedToCreateFilter(name: String, parameters: Parameters)
      /// The image has no pixels.
      case inputImageIsEmpty(inputImage: PlatformImage)
      /// The filter failed on this image, for example because the result would be too large.
      case failedToApplyFilter(name: String, reason: any Swift.Error)

      public var description: String {
        switch self {
        case .failedToCreateFilter(_, let parameters): parameters.reason.description
        case .inputImageIsEmpty: "the image has no pixels"
        case .failedToApplyFilter(_, let reason): "\(reason)"
        }
      }

      /// The parameters of a filter that could not be created.
      public struct Parameters: Sendable, CustomStringConvertible {
        /// The keys and the values, as text.
        public let description: String
        /// The reason for the failure.
        public let reason: ImageFilterError
      }
    }

    /// - Throws: ``Error``.
    public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
      try container.map(filter)
    }

    private func filter(_ image: PlatformImage) throws -> PlatformImage {
      let prepared = try prepared.get()
      guard image.pixelWidth > 0 else { throw Error.inputImageIsEmpty(inputImage: image) }
      do {
        return try prepared.filter.apply(prepared.values, to: image)
      } catch {
        throw Error.failedToApplyFilter(name: name, reason: error)
      }
    }

    public var description: String {
      "CoreImageFilter(name: \(name), parameters: \(parameters))"
    }
  }
}

extension ImageProcessors.CoreImageFilter: ColorProcessing {
  func colorStages(width: Int, height: Int) throws -> [ColorStage]? {
    guard case .success(let prepared) = prepared, let filter = prepared.filter as? any ColorFiltering else {
      return nil
    }
    return try filter.stages(prepared.values, width: width, height: height)
  }
}

/// A processor that may be a color filter: each pixel of the result depends only on the same pixel of the image.
protocol ColorProcessing: ImageProcessing {
  /// Returns the color stages for an image of this size; `nil` if the filter reads more than one pixel for each result.
  func colorStages(width: Int, height: Int) throws -> [ColorStage]?
}

extension ImageProcessing where Self == ImageProcessors.CoreImageFilter {
  /// Applies a filter with its default values, by its Core Image name. See ``ImageProcessors/CoreImageFilter``.
  public static func coreImageFilter(name: String) -> ImageProcessors.CoreImageFilter {
    ImageProcessors.CoreImageFilter(name: name)
  }

  /// Applies a filter by its Core Image name. See ``ImageProcessors/CoreImageFilter``.
  public static func coreImageFilter(
    name: String, parameters: [String: Any], identifier: String
  ) -> ImageProcessors.CoreImageFilter {
    ImageProcessors.CoreImageFilter(name: name, parameters: parameters, identifier: identifier)
  }
}
