import Foundation

extension BuiltInFilter {
  /// Creates a filter that samples the image at another position for each pixel, bilinearly.
  ///
  /// - Parameters:
  ///   - edges: determines what is outside the image's edges.
  ///   - make: creates the function from a position in the result to the position to sample. The origin is at the lower
  ///     left.
  init(
    _ name: String, warping summary: String, _ parameters: [ImageFilterParameter],
    edges: EdgeMode = .repeated,
    _ make: @escaping @Sendable (_ values: ImageFilterValues, _ image: Bitmap) -> (ImagePoint) -> ImagePoint
  ) {
    self.init(name, summary, parameters) { values, image in image.warped(edges: edges, make(values, image)) }
  }

  /// Creates a filter that maps positions relative to a center.
  ///
  /// - Parameter make: creates the function from p, relative to the center, to the position to sample, also relative to
  ///   the center. Returns `nil` for pixels that are unchanged.
  init(
    _ name: String, around summary: String, _ parameters: [ImageFilterParameter],
    _ make: @escaping @Sendable (_ values: ImageFilterValues) -> (_ p: ImagePoint) -> ImagePoint?
  ) {
    self.init(name, warping: summary, [Self.center] + parameters) { values, _ in
      let (center, lookedUp) = (values.center, make(values))
      return { point in lookedUp(point - center).map { center + $0 } ?? point }
    }
  }

  static let center = ImageFilterParameter.vector("inputCenter", [150, 150])

  /// Positions p are relative to the center; r is their distance from it, and R is the radius.
  static let distortions: [BuiltInFilter] = [
    BuiltInFilter(
      "CIBumpDistortion",
      around: """
        Enlarges the area around the center. Samples at p · (1 − scale · (1 − r²/R²)²) within the radius R. Our own \
        formula.
        """,
      [.number("inputRadius", 300, in: 0...1e6), .number("inputScale", 0.5)]
    ) { values in
      let (radius, scale) = (values.radius, values.scale)
      return { p in
        let share = p.dot(p) / (radius * radius)
        return share < 1 ? p * (1 - scale * (1 - share) * (1 - share)) : nil
      }
    },
    BuiltInFilter(
      "CIBumpDistortionLinear",
      warping: """
        Enlarges the area along a line through the center, at an angle in radians from the x axis. Like \
        CIBumpDistortion, but r is the distance from the line, and only that distance changes. Our own formula.
        """,
      [center, .number("inputRadius", 300, in: 0...1e6), .number("inputAngle", 0), .number("inputScale", 0.5)]
    ) { values, _ in
      let (center, radius) = (values.center, values.radius)
      let (scale, angle) = (values.scale, values.angle)
      let across = ImagePoint(-sin(angle), cos(angle))
      return { point in
        let distance = (point - center).dot(across)
        let share = distance * distance / (radius * radius)
        guard share < 1 else { return point }
        return point - across * (distance * scale * (1 - share) * (1 - share))
      }
    },
    BuiltInFilter(
      "CIPinchDistortion",
      around: """
        Shrinks the image towards the center. Samples at p · (r/R)^(1/(1 + scale) − 1) within the radius R. Our own \
        formula.
        """,
      [.number("inputRadius", 300, in: 0...1e6), .number("inputScale", 0.5, in: 0...Double.infinity)]
    ) { values in
      let (radius, power) = (values.radius, 1 / (1 + values.scale) - 1)
      return { p in
        let share = p.length / radius
        return share < 1 && share > 0 ? p * pow(share, power) : nil
      }
    },
    swirl("CITwirlDistortion", power: 2, "²", angle: Double.pi),
    swirl("CIVortexDistortion", power: 4, "⁴", angle: 18 * Double.pi),
    BuiltInFilter(
      "CIHoleDistortion",
      around:
        """
        Pushes the image away from the center, and leaves a transparent hole. Samples at p · (1 − R²/r²) outside the \
        radius R. Our own formula.
        """,
      [.number("inputRadius", 150, in: 0.01...1e6)]
    ) { values in
      let radius = values.radius
      return { p in
        let share = radius * radius / p.dot(p)
        return share < 1 ? p * (1 - share) : .nowhere
      }
    },
    BuiltInFilter(
      "CICircleSplashDistortion",
      around: "Extends the colors of a circle outwards. Samples at p · R/r outside the radius R of the center.",
      [.number("inputRadius", 150, in: 0...1e6)]
    ) { values in
      let radius = values.radius
      return { p in
        let distance = p.length
        return distance > radius ? p * (radius / distance) : nil
      }
    },
    BuiltInFilter(
      "CILightTunnel",
      around: """
        Extends the colors of a circle outwards, and rotates them. Like CICircleSplashDistortion, rotated \
        counterclockwise by rotation · (1 − R/r) radians outside the radius R. Our own formula.
        """,
      [.number("inputRotation", 0), .number("inputRadius", 100, in: 0...1e6)]
    ) { values in
      let (radius, rotation) = (values.radius, values.number("inputRotation"))
      return { p in
        let share = radius / p.length
        guard share < 1 else { return nil }
        let angle = rotation * (share - 1)
        return p.turned(ImagePoint(cos(angle), sin(angle))) * share
      }
    },
    BuiltInFilter(
      "CICircularWrap",
      warping: """
        Wraps the image around a circle of the radius R. The lower edge is on the circle, and the left and right edges \
        meet above the center, rotated counterclockwise by the angle in radians. Transparent outside the image. Our own \
        formula.
        """,
      [center, .number("inputRadius", 150, in: 0...1e6), .number("inputAngle", 0)], edges: .transparent
    ) { values, image in
      let (center, radius) = (values.center, values.radius)
      let (angle, width) = (values.angle, Double(image.pixelWidth))
      return { point in
        let offset = point - center
        // Clockwise, starting above the center.
        let turns = (Double.pi / 2 + angle - atan2(offset.y, offset.x)) / (2 * Double.pi)
        return ImagePoint((turns - turns.rounded(.down)) * width, offset.length - radius)
      }
    },
    BuiltInFilter(
      "CITorusLensDistortion",
      around: """
        Shows the image through a glass ring with a semicircular profile. The radius R is that of the ring's center \
        line. Parallel light is refracted by Snell's law; the refraction is the index.
        """,
      [
        .number("inputRadius", 160, in: 0...1e6), .number("inputWidth", 80, in: 0...1e6),
        .number("inputRefraction", 1.7, in: 0.01...Double.infinity),
      ]
    ) { values in
      let (radius, half, refraction) = (values.radius, values.width / 2, values.number("inputRefraction"))
      return { p in
        let distance = p.length
        let share = (distance - radius) / half
        guard abs(share) < 1, distance > 0 else { return nil }
        return p * ((radius + half * refracted(share, refraction)) / distance)
      }
    },
    BuiltInFilter(
      "CIGlassLozenge",
      warping: """
        Shows the image through a glass rod with round ends between two points. The radius is that of the rod. Parallel \
        light is refracted by Snell's law; the refraction is the index.
        """,
      [
        .vector("inputPoint0", [150, 150]), .vector("inputPoint1", [350, 150]),
        .number("inputRadius", 100, in: 0...1e6), .number("inputRefraction", 1.7, in: 0.01...Double.infinity),
      ]
    ) { values, _ in
      let (start, radius) = (values.place("inputPoint0"), values.radius)
      let (line, refraction) = (values.place("inputPoint1") - start, values.number("inputRefraction"))
      return { point in
        let along = (point - start).dot(line) / line.dot(line)
        let nearest = start + line * (along > 0 ? min(along, 1) : 0)
        let offset = point - nearest
        let share = offset.length / radius
        guard share < 1, share > 0 else { return point }
        return nearest + offset * (refracted(share, refraction) / share)
      }
    },
    BuiltInFilter(
      "CIDisplacementDistortion",
      warping: """
        Displaces pixels by the colors of another image. Samples scale · (red − 1/2) pixels to the right and scale · \
        (green − 1/2) pixels up, with the premultiplied red and green of the other image. That image is placed at the \
        lower left, and its edge pixels extend outwards. Our own formula.
        """,
      [.image("inputDisplacementImage"), .number("inputScale", 50)]
    ) { values, image in
      let (shifts, scale) = (Channels(values.image("inputDisplacementImage")), values.scale)
      return { point in
        let (x, y) = (Int(point.x), Int(point.y))
        return point + (ImagePoint(shifts.value(x, y, 0), shifts.value(x, y, 1)) - 0.5) * scale
      }
    },
    BuiltInFilter(
      "CIGlassDistortion",
      warping: """
        Displaces pixels like textured glass. Samples at a distance of scale times the slope of the texture's luminance, \
        which is half the difference of the pixels on both sides. The texture repeats, starting at the center. Our own \
        formula.
        """,
      [.image("inputTexture"), center, .number("inputScale", 200)]
    ) { values, image in
      let (texture, scale) = (LuminancePlane(values.image("inputTexture")), values.scale)
      let (size, center) = (values.image("inputTexture").extent, values.center)
      let (width, height) = (texture.width, texture.height)
      // Extremely large numbers may have no position in the texture.
      func bounded(_ place: Double, _ last: Int) -> Int {
        place > 0 ? (place < Double(last) ? Int(place) : last) : 0
      }
      return { point in
        let place = (point - center).wrapped(within: size)
        let (x, y) = (bounded(place.x, width - 1), height - 1 - bounded(place.y, height - 1))
        // The pixels on both sides. At an edge, they are in the next copy of the texture.
        let (left, right) = (x > 0 ? x - 1 : width - 1, x < width - 1 ? x + 1 : 0)
        let (above, below) = (y > 0 ? y - 1 : height - 1, y < height - 1 ? y + 1 : 0)
        let slope = ImagePoint(texture[right, y] - texture[left, y], texture[x, above] - texture[x, below]) / 2
        return point + slope * scale
      }
    },
  ]

  private static func swirl(_ name: String, power: Int, _ exponent: String, angle: Double) -> BuiltInFilter {
    BuiltInFilter(
      name,
      around: """
        Rotates the image around the center, most in the middle. The rotation is counterclockwise by angle · (1 − \
        r/R)\(exponent) radians within the radius R. Our own formula.
        """,
      [.number("inputRadius", 300, in: 0...1e6), .number("inputAngle", angle)]
    ) { values in
      let (radius, angle) = (values.radius, values.angle)
      return { p in
        let share = 1 - p.length / radius
        guard share > 0 else { return nil }
        // To rotate the image counterclockwise, positions are rotated clockwise.
        let turn = -angle * (power == 2 ? share * share : share * share * share * share)
        return p.turned(ImagePoint(cos(turn), sin(turn)))
      }
    }
  }

  /// Returns where light that enters half a cylinder of radius 1 perpendicularly reaches its flat side.
  private static func refracted(_ place: Double, _ index: Double) -> Double {
    let height = (1 - place * place).squareRoot()
    return place - height * tan(asin(place) - asin(min(max(place / index, -1), 1)))
  }
}

/// The channels of an image from 0 to 1. The origin is at the lower left, and edge pixels extend outside the image.
struct Channels {
  let width: Int
  let height: Int
  private let bytes: [UInt8]

  init(_ image: Bitmap) {
    (width, height) = (image.pixelWidth, image.pixelHeight)
    bytes = image.withUnsafeBytes { Array($0) }
  }

  func value(_ x: Int, _ y: Int, _ channel: Int) -> Double {
    let (column, row) = (min(max(x, 0), width - 1), height - 1 - min(max(y, 0), height - 1))
    return Double(bytes[(row * width + column) * 4 + channel]) / 255
  }

  /// Returns the premultiplied BT.709 luminance.
  func luminance(_ x: Int, _ y: Int) -> Double {
    let (red, green, blue) = PixelMatrix.luminance
    return red * value(x, y, 0) + green * value(x, y, 1) + blue * value(x, y, 2)
  }

  /// Returns the straight BT.709 luminance; 0 for transparent pixels.
  func straightLuminance(_ x: Int, _ y: Int) -> Double {
    let alpha = value(x, y, 3)
    return alpha > 0 ? luminance(x, y) / alpha : 0
  }
}
