import Basics

/// The scalars of words, and how they compare: the tables of SQLite's tokenizer `unicode61`
/// (<https://www.sqlite.org/fts5.html#unicode61_tokenizer>), which are of Unicode 6.1. An accent that is a
/// scalar of its own is dropped, and a Latin letter with one accent is the letter.
///
/// `WordTableTests` compares every scalar with SQLite.
package enum WordTable {
  /// The role of a scalar in a text.
  package enum Role: Equatable {
    /// It ends the word before it.
    case separator
    /// It is ignored.
    case mark
    /// It belongs to a word, as the given scalar.
    case letter(Unicode.Scalar)
  }

  /// The role of a scalar in a text. O(1) for ASCII, O(log n) in the size of the tables for others.
  package static func role(of scalar: Unicode.Scalar) -> Role {
    if scalar.isASCII { return ascii[Int(scalar.value)] }
    return table.role(of: scalar)
  }

  private static let table = Table()
  private static let ascii: [Role] = (0..<128).map { table.role(of: Unicode.Scalar(UInt8($0))) }

  private struct Table {
    /// Separators and marks.
    var separators: [ClosedRange<UInt32>] = []
    var folds: [Fold] = []

    /// Scalars that map to others at the same distance.
    struct Fold {
      let first: UInt32
      let last: UInt32
      /// 2 if only every second scalar is included.
      let stride: UInt32
      let distance: Int32
    }

    init() {
      var end: UInt32 = 0
      for entry in separatorTable.words() {
        let numbers = entry.words(at: "+").compactMap { UInt32($0) }
        let first = end + numbers[0]
        end = first + (numbers.count > 1 ? numbers[1] : 1)
        separators.append(first...(end - 1))
      }
      var first: UInt32 = 0
      for entry in foldTable.words() {
        guard let sign = entry.lastIndex(where: { $0 == "+" || $0 == "-" }),
          let distance = Int32(entry[sign...])
        else { trap("the table of folds has an entry without a distance") }
        let numbers = entry[..<sign].split { $0 == "x" || $0 == "/" }.compactMap { UInt32($0) }
        first += numbers[0]
        let stride = numbers.count > 2 ? numbers[2] : 1
        let count = numbers.count > 1 ? numbers[1] : 1
        folds.append(
          Fold(
            first: first, last: first + (count - 1) * stride, stride: stride, distance: distance))
      }
    }

    func role(of scalar: Unicode.Scalar) -> Role {
      let value = scalar.value
      if value >= 0x300, value <= 0x331, markTable.contains(value) { return .mark }
      let range = separators.partitioningIndex { $0.upperBound >= value }
      if range < separators.count, separators[range].contains(value) { return .separator }
      // A range with gaps may surround others.
      var place = folds.partitioningIndex { $0.first > value }
      while place > 0, folds[place - 1].first + 64 > value || folds[place - 1].last >= value {
        place -= 1
        let fold = folds[place]
        if value <= fold.last, (value - fold.first) % fold.stride == 0,
          let folded = Unicode.Scalar(UInt32(Int32(value) + fold.distance))
        {
          return .letter(folded)
        }
      }
      return .letter(scalar)
    }
  }

  private static let markTable: Set<UInt32> = [
    0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x309, 0x30a, 0x30b, 0x30c, 0x30f,
    0x311, 0x31b, 0x323, 0x324, 0x325, 0x326, 0x327, 0x328, 0x32d, 0x32e, 0x330, 0x331,
  ]

  /// Runs of scalars between words: the number of word scalars before the run, and its length, if more than
  /// one.
  private static let separatorTable = """
    1+47 10+7 26+6 26+47 1+7 2 1+3 2 3 23 31 458+4 12+14 5+7 1 1+17 5 7+2 1 1+9 1+7 6+4 2 2+62 5 \
    8 5+2 1 110 139+8 208+6 41+2 4 1+55 43+2 11+5 1+22 2+2 43+21 10+4 2 99 1+15 2+7 15+2 1+14 1 \
    1 30+27 91+11 58+9 2+4 28+4 1+9 1+3 1+5 2+15 26+3 2 133+27 1+4 54+3 1+18 1+7 10+4 10 16+3 56 \
    1+7 2+2 2+3 9 10+2 14+2 6+2 5+3 56 1+5 4+2 2+3 3 30+2 3 11+3 56 1+8 1+3 1+3 20+2 12+2 15+3 \
    56 1+7 2+2 2+3 8+2 10+2 12 17 59+5 3+3 1+4 9 27+8 6+3 58+7 1+3 1+4 7+2 11+2 27 2+2 56 1+7 \
    1+3 1+4 7+2 11+2 30+2 58+7 1+3 1+4 9 10+2 21 8+2 70 4+6 1 1+8 18+3 60 2+7 4 7+9 10+2 85 2+6 \
    1+2 11+6 51+31 20+12 49+23 5+11 1+36 1+15 1+13 80+20 11+6 6+4 4+3 1+3 2+7 3+4 13+12 1 10+6 \
    91 609+12 39+10 102 620+2 17 26+2 78+3 36+3 29+5 27+2 30+2 64+35 1+4 1 34+15 154 118+12 4+12 \
    4 3+2 106+17 7+2 20+34 23+5 2+2 53+10 1+29 2 32+7 1+6 82+5 47+17 21+35 3+3 30+13 56+14 8+4 \
    36+20 3+5 62+2 64+8 8+25 4 4+3 203+39 21+4 445 1+3 11+3 13+3 13+3 13+2 1+101 5+6 10+5 11+5 \
    17+26 22+33 15+2 1+4 1+2 10 1+3 5+6 1 1 1 4 11+2 4+5 5+4 1 64+612 12+39 25+11 81+78 22+512 \
    1+117 30+953 3+10 395+6 4+3 7+4 1+2 112 14 96+79 1+12 68+26 1+89 12+214 26+12 4+5 3+25 9+7 \
    5+2 5+3 89+4 3 90 148+2 4+10 32+36 28+31 11+30 8 15+32 10+39 15+63 1+256 6592+64 22160+55 \
    55+2 269+3 95+16 32 80+8 8+23 9+2 103+2 119 3 4 23+9 10+4 58+4 8+2 50+17 9+2 16+18 6+3 43+10 \
    23+13 11 32+4 47+27 16+2 73+14 12 8+2 14+4 23+3 1 52 1+3 2+2 5+2 1 28+2 11+7 3+2 236+11 \
    20272 10 136+16 380+2 188+2 2+26 6+7 9+35 1+19 1+4 147 1+15 10+7 26+6 26+11 122+7 1+7 10+7 \
    256+3 52+9 57+17 6+12 52+46 417 48 1158 199 31 193+3 1+2 5+4 40+3 4 16+9 38 185+7 1216+3 \
    53+22 50+3 45+18 62+3 36+14 11+4 60+3 48+14 4+4 1250+13 3512+4 19165+46 16+4 24685+246 10+39 \
    2+181 34+70 186+87 874 25 31 25 31 25 31 25 31 25 5932+2 270+44 4+100 12+15 2+14 2+15 1+15 \
    48+31 1+60 4+43 75+29 13+43 5+9 7+2 174+33 15+6 1+70 3+20 12+37 1+5 21+17 15+63 1 1+182 1+4 \
    3+62 2+4 12+24 147+70 4+11 48+70 58+116 788621 30+96 128+240
    """

  /// Runs of scalars that map to others: the distance of its start from that of the run before, its length,
  /// `/2` if it has every second scalar, and the distance to the mapped scalars.
  private static let foldTable = """
    65x26+32 116+775 11-95 1-96 1-97 1-98 1-99 1-100 1+32 1-100 1-99 1-100 1-101 1-102 1-99 \
    1-100 1-101 1-102 1+32 1x2-99 2-100 1-101 1-102 1-103 2+32 1-100 1-101 1-102 1-103 1-100 \
    1+32 2-127 1-128 1-129 1-130 1-131 1x2/2-132 3-131 1-132 1-133 1-134 1-131 1-132 1-133 1-134 \
    2x2-131 2-132 1-133 1-134 1-135 3-132 1-133 1-134 1-135 1-132 2-134 1-159 1-160 1-161 1-162 \
    1-163 1-164 1-163 1-164 1-165 1-166 1-167 1-168 1-169 1x2-170 2-171 1+1 2-173 1-174 1-175 \
    1-176 1-177 1-178 1-179 1-180 1-181 1-182 1-181 1-182 1-183 1-184 1-185 1-186 1-187 1x2-188 \
    2-189 1+1 2-191 1-192 1-193 1-194 1-195 1-196 1-197 1-198 1-199 2+1 2-202 1x2-203 2-204 \
    2-205 1-206 1-207 1-208 1-209 1-210 1x2/2+1 4-213 1-214 1-215 1-216 1-217 1-218 2+1 2-221 \
    1-222 1-223 1-224 1-225 1-226 1+1 2-226 1-227 1-228 1-229 1-230 1x2-231 2-232 1-233 1-234 \
    1-235 1-236 1-237 1x2-238 2-239 1-240 1-241 1+1 2-243 1-244 1-245 1-246 1-247 1-248 1-249 \
    1-250 1-251 1-252 1-253 1-254 1-253 1-254 1-253 1-254 1x2-255 2-256 1-257 1-258 1-259 1-260 \
    1-268 2+210 1x2/2+1 4+206 1+1 2x2+205 2+1 3+79 1+202 1+203 1+1 2+205 1+207 2+211 1+209 1+1 \
    4+211 1+213 2+214 1-305 1-306 1x2/2+1 4+218 1+1 2+218 3+1 2+218 1-314 1-315 1x2+217 2x2/2+1 \
    4+219 1+1 4+1 8+2 1+1 2+2 1+1 2+2 1+1 2-364 1-365 1-358 1-359 1-354 1-355 1-350 1-351 \
    1x4/2+1 9x4/2+1 8-383 1-384 1-381 1-382 1-379 1-380 1x2/2+1 4-390 1+2 1+1 2-397 1-398 1-97 \
    1-56 1-394 1-395 1x3/2+1 6-415 1-416 1-417 1-418 1-415 1-416 1-417 1-418 1-415 1-416 1-417 \
    1-418 1-413 1-414 1-415 1-416 1-414 1-415 1-416 1-417 1-415 1-416 1-417 1-418 1-421 1x2-422 \
    2-423 1+1 2-438 1-439 1-130 2x2/2+1 4-453 1-454 1-451 1-452 1x2/2+1 4-447 1-448 1+1 2-441 \
    1-442 7+10795 1+1 2-163 1+10792 3+1 2-195 1+69 1+71 1x5/2+1 298x2/2+1 6+1 16+38 2x3+37 4+64 \
    2x2+63 3x17+32 18x9+32 31+1 13+8 1-30 1-25 4-15 1-22 2x12/2+1 24-54 1-48 3-60 1-64 2+1 2-7 \
    1+1 3x3-130 3x16+80 16x32+32 80x17/2+1 42x27/2+1 54+15 1x7/2+1 15x44/2+1 97x38+48 \
    2927x38+7264 39+7264 6+7264 3379-7583 1x2-7584 2-7585 1-7586 1-7587 1-7588 1-7589 1+1 2-7590 \
    1-7591 1-7592 1-7593 1-7594 1-7595 1-7596 1-7597 1-7598 1-7599 1x2/2+1 4-7603 1-7604 1-7605 \
    1-7606 1+1 2-7608 1x2-7609 2x2-7610 2-7611 1-7612 1-7613 1-7614 1-7615 1-7616 1-7617 1-7618 \
    1x2-7619 2-7620 1+1 2-7621 1-7622 1-7623 1-7624 1-7625 1x2-7626 2-7627 1+1 2-7630 1-7631 \
    1-7632 1x2-7633 2-7634 1-7635 1-7636 1-7637 1x2-7638 2-7639 1-7640 1-7641 1-7642 1-7643 \
    1-7644 1-7645 1x4/2+1 8-7652 1-7653 1-7654 1-7655 1-7654 1-7655 1-7656 1-7657 1+1 2-7660 \
    1x2-7661 2-7662 1-7663 1-7664 1x3/2+1 6-7670 1-7671 1-7672 1-7673 1-7674 1-7675 1-7676 \
    1x2-7677 2-7678 1-7679 1-7680 1-7681 1-7682 1x2/2+1 4-7686 1-7687 1-7688 1x2-7689 2-7690 \
    1-7691 1-7692 1-7693 1-7694 1-7695 1-7696 1-7697 1x2-7698 2-7699 1-7700 1x2-7701 2x2-7702 \
    2-7703 1-7704 1-7705 1-7706 1-7707 1-7726 1-7715 1-7713 1-7712 2-7720 3-7615 2-7743 1-7744 \
    1-7745 1-7746 1x10/2+1 20-7763 1-7764 1-7765 1-7766 1-7767 1-7768 1x5/2+1 10-7775 1-7776 \
    1-7777 1-7778 1-7773 1-7774 1-7775 1-7776 1x10/2+1 20-7791 1-7792 1-7793 1-7794 1x5/2+1 \
    10-7801 1-7802 1-7803 1-7804 1-7805 1-7806 1-7807 1-7808 1x3/2+1 14x8-8 16x6-8 16x8-8 16x8-8 \
    16x6-8 17x4/2-8 15x8-8 32x8-8 16x8-8 16x8-8 16x2-8 2x2-74 2-9 2-7173 10x4-86 4-9 12x2-8 \
    2x2-100 14x2-8 2x2-112 2-7 12x2-128 2x2-126 2-9 298-7517 4-8383 1-8394 7+28 46x16+16 35+1 \
    2685x47+48 96+1 2-10743 1-3814 1-10727 3x3/2+1 6-10780 1-10749 1-10783 1-10782 2+1 3+1 \
    9x2-10815 2x50/2+1 107x2/2+1 7+1 31054x23/2+1 64x12/2+1 162x7/2+1 16x31/2+1 71x2/2+1 4-35332 \
    1x5/2+1 13+1 2-42280 3x2/2+1 16x5/2+1 10-42308 22391x26+32 1247x40+40
    """
}
