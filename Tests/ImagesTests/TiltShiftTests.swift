import Images
import Testing

@Suite struct TiltShiftTests {
  @Test func `rows in focus stay as they are`() {
    let town = RGBImage.town(width: 20, height: 30)
    for y in 10..<20 { #expect(TiltShift().row(y, of: town) == town.row(y)) }
    #expect(TiltShift().row(9, of: town) != town.row(9))
    #expect(TiltShift().row(20, of: town) != town.row(20))
  }

  @Test func `the middle third is in focus, and at least one row`() {
    for height in 1...7 {
      let image = RGBImage(width: 1, height: height) { _, y in RGB(grey: UInt8(y * y * 7)) }
      let sharp = (0..<height).filter { TiltShift().row($0, of: image) == image.row($0) }
      // Written out by hand for each height.
      let expected = [[0], [0, 1], [1], [1, 2], [1, 2, 3], [2, 3], [2, 3, 4]]
      #expect(sharp == expected[height - 1])
    }
  }

  // Row 0, d = 1, with its edge repeated:   0   0  90 | 180 …
  //                                         0   0  90 | 180
  //                                        30  30  60 |  90
  // Column sums 30, 240, 450 (as 0+0+30, 90+90+60, 180+180+90).
  @Test func `a pixel is the mean of the square around it, edges repeated`() {
    let image = RGBImage(rows: [
      [RGB(0, 9, 1), RGB(90, 9, 1), RGB(180, 9, 1)],
      [RGB(30, 9, 1), RGB(60, 9, 1), RGB(90, 9, 1)],
    ])
    let row = TiltShift(focus: 1..<2).row(0, of: image)
    // (30 + 30 + 240) / 9 = 33.3, (30 + 240 + 450) / 9 = 80, (240 + 450 + 450) / 9 = 126.7
    #expect(row == [RGB(33, 9, 1), RGB(80, 9, 1), RGB(127, 9, 1)])
  }

  @Test func `the radius grows by one a row up to its maximum`() {
    // One bright row at the top; the mean of row y says how many rows its square had.
    let image = RGBImage(width: 1, height: 9) { _, y in RGB(grey: y < 8 ? 0 : 210) }
    let tiltShift = TiltShift(focus: 0..<5, maximumRadius: 3)
    let levels = (0..<9).map { tiltShift.row($0, of: image)[0].red }
    // Row 5: d = 1, rows 4…6, none bright. Row 6: d = 2, rows 4…8, one of 5 bright.
    // Row 7: d = 3, rows 4…10, three of 7 bright. Row 8: d = 4 but r = 3, four of 7 bright.
    #expect(levels == [0, 0, 0, 0, 0, 0, 42, 90, 120])
  }

  @Test func `a radius of zero changes nothing`() {
    let town = RGBImage.town(width: 8, height: 12)
    let rows = (0..<12).map { TiltShift(maximumRadius: 0).row($0, of: town) }
    #expect(RGBImage(rows: rows) == town)
  }

  @Test func `the sliding window gives what adding up each square gives`() {
    let town = RGBImage.town(width: 23, height: 40)
    let tiltShift = TiltShift(focus: 30..<31, maximumRadius: 30)
    for y in 0..<40 {
      let radius = abs(y - 30)
      let row = (0..<23).map { x in
        mean(of: town, x: x - radius...x + radius, y: y - radius...y + radius)
      }
      #expect(tiltShift.row(y, of: town) == row)
    }
  }

  // MARK: - Fixtures

  private func mean(of image: RGBImage, x: ClosedRange<Int>, y: ClosedRange<Int>) -> RGB {
    let square = y.flatMap { y in
      x.map { image[min(max($0, 0), image.width - 1), min(max(y, 0), image.height - 1)] }
    }
    func mean(_ channel: KeyPath<RGB, UInt8>) -> UInt8 {
      let sum = square.reduce(0.0) { $0 + Double($1[keyPath: channel]) }
      return UInt8((sum / Double(square.count)).rounded())
    }
    return RGB(mean(\.red), mean(\.green), mean(\.blue))
  }
}
