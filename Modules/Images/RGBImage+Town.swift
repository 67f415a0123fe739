extension RGBImage {
  /// A painted town to look at: rows of houses under a sky, nearer and larger towards the bottom.
  ///
  /// - Precondition: Both sides are positive.
  public static func town(width: Int = 240, height: Int = 180) -> RGBImage {
    RGBImage(width: width, height: height) { x, y in
      let horizon = height / 5
      guard y >= horizon else {
        return RGB(150, 190, UInt8(255 - 55 * y / max(horizon, 1)))
      }
      // Each row of houses is one and a half times as tall as the one behind it.
      var top = horizon
      var tall = 12
      var street = 0
      while y >= top + tall {
        top += tall
        tall += tall / 2
        street += 1
      }
      let house = (x + 5 * street) / tall
      let column = (x + 5 * street) % tall * 12 / tall
      let storey = (y - top) * 12 / tall
      if storey < 3 { return roofs[(house * 7 + street) % roofs.count] }
      if storey == 11 { return RGB(grey: 90) }
      let isWindow = column % 4 >= 2 && storey % 4 >= 1 && storey % 4 <= 2
      return isWindow ? RGB(60, 70, 95) : walls[(house * 5 + street * 3) % walls.count]
    }
  }

  private static let roofs = [RGB(170, 60, 45), RGB(140, 50, 60), RGB(95, 85, 90)]
  private static let walls = [
    RGB(235, 215, 180), RGB(200, 175, 140), RGB(225, 190, 165), RGB(180, 200, 190),
  ]
}
