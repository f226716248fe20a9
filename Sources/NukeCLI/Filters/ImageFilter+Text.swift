#if Command
  import Foundation
  import Nuke

  extension ImageFilter {
    /// The description of the filter as text.
    var lines: [String] {
      let keys = parameters.map(\.key)
      let width = keys.map(\.count).max() ?? 0
      let described = parameters.map { parameter in
        ["  " + parameter.key.fitted(to: width), parameter.text].joined(separator: "  ")
      }
      return [name] + summary.lines(of: 76).map { "  " + $0 } + (described.isEmpty ? ["  It has no keys."] : described)
    }

    /// The description of the filter as JSON.
    var json: JSON {
      .members([
        "name": .string(name), "summary": .string(summary), "parameters": .array(parameters.map(\.json)),
      ])
    }
  }

  extension ImageFilterParameter {
    /// The description of the values of the key.
    fileprivate var text: String {
      var parts = [kind.description]
      switch (range.lowerBound.isFinite, range.upperBound.isFinite) {
      case (true, true): parts.append("from \(range.lowerBound.short) to \(range.upperBound.short)")
      case (true, false): parts.append("from \(range.lowerBound.short) on")
      case (false, true): parts.append("up to \(range.upperBound.short)")
      case (false, false): break
      }
      return parts.joined(separator: " ") + (defaultValue.map { "; \($0.text) by default" } ?? "; required")
    }

    fileprivate var json: JSON {
      let isBounded = kind == .number
      func bound(_ value: Double) -> JSON? { isBounded && value.isFinite ? .number(value) : nil }
      return .members([
        "key": .string(key), "kind": .string(kind.name), "count": kind.count.map(JSON.integer),
        "default": defaultValue?.json, "minimum": bound(range.lowerBound), "maximum": bound(range.upperBound),
        "required": .bool(defaultValue == nil),
      ])
    }
  }

  extension ImageFilterParameter.Kind {
    fileprivate var name: String {
      switch self {
      case .number: "number"
      case .vector: "vector"
      case .color: "color"
      case .image: "image"
      case .data: "data"
      }
    }

    fileprivate var count: Int? { if case .vector(let count) = self { count } else { nil } }
  }

  extension ImageFilterValue {
    fileprivate var text: String {
      switch self {
      case .number(let number): number.short
      case .vector(let numbers): numbers.map(\.short).joined(separator: ":")
      case .color(let color): color.hex
      case .image: "an image"
      case .data: "data"
      }
    }

    fileprivate var json: JSON? {
      switch self {
      case .number(let number): .number(number)
      case .vector(let numbers): .array(numbers.map(JSON.number))
      case .color(let color): .string(color.hex)
      case .image, .data: nil
      }
    }
  }
#endif
