import Basics

/// Packing a page from the buffers in which it is filled.
extension RowPage {
  /// Packs the rows and gives the buffers away.
  func pack() -> RowBuffers {
    require(!isSealed, "a row page was sealed twice")
    let packed = buffers.take()
    let packingCount = columnCount + 1
    withUnsafeTemporaryAllocation(of: RowColumn.self, capacity: packingCount) { packings in
      var size = packingCount * MemoryLayout<RowColumn>.stride
      for column in 0..<packingCount {
        var packing =
          column < columnCount
          ? RowColumn(
            tags: packed.tags + column * packed.capacity, cells: packed.cells(column),
            count: rowCount, heapCount: packed.heapCount)
          : RowColumn(tag: .integer, width: integerWidth(packed.keyCells, rowCount))
        size = packing.place(at: size, count: rowCount)
        packings.initializeElement(at: column, to: packing)
      }
      let new = UnsafeMutableRawPointer.allocate(
        byteCount: size + packed.heapCount, alignment: 8)
      for column in 0..<packingCount {
        let packing = packings[column]
        (new + column * MemoryLayout<RowColumn>.stride).storeBytes(of: packing, as: RowColumn.self)
        let cells = column < columnCount ? packed.cells(column) : packed.keyCells
        packing.write(cells, count: rowCount, to: new + Int(packing.offset))
        if packing.isMixed {
          (new + Int(packing.offset) + Int(packing.width) * rowCount).copyMemory(
            from: packed.tags + column * packed.capacity, byteCount: rowCount)
        }
      }
      (new + size).copyMemory(from: packed.heap, byteCount: packed.heapCount)
      memory = UnsafeRawPointer(new)
      heap = (memory + size).assumingMemoryBound(to: UInt8.self)
    }
    return packed
  }
}

extension RowBuffers {
  fileprivate func cells(_ column: Int) -> UnsafePointer<UInt64> {
    UnsafePointer(cells + column * capacity)
  }

  fileprivate var keyCells: UnsafePointer<UInt64> {
    UnsafeRawPointer(keys).assumingMemoryBound(to: UInt64.self)
  }
}

/// The least number of bytes that hold each of the cells as a signed integer.
private func integerWidth(_ cells: UnsafePointer<UInt64>, _ count: Int) -> UInt8 {
  var bits: UInt64 = 0
  for index in 0..<count {
    let integer = Int64(bitPattern: cells[index])
    bits |= UInt64(bitPattern: integer ^ (integer >> 63))
  }
  return bits < 1 << 7 ? 1 : bits < 1 << 15 ? 2 : bits < 1 << 31 ? 4 : 8
}

/// 4 when each cell is a whole number of 32 bits, as prices and dates often are.
private func realWidth(_ cells: UnsafePointer<UInt64>, _ count: Int) -> UInt8 {
  for index in 0..<count {
    let real = Double(bitPattern: cells[index])
    // Bits are compared, not numbers: -0.0 is not a whole number here.
    guard abs(real) < 2_147_483_648, Double(Int32(real)).bitPattern == cells[index] else {
      return 8
    }
  }
  return 4
}

private func bytesWidth(_ cells: UnsafePointer<UInt64>, _ count: Int, heapCount: Int) -> UInt8 {
  guard heapCount <= 1 << 16 else { return 8 }
  var lengths: UInt64 = 0
  for index in 0..<count { lengths |= cells[index] & 0xFFFF_FFFF }
  return lengths < 1 << 8 ? 3 : 8
}

extension RowColumn {
  /// The most compact storage for cells of a page.
  fileprivate init(
    tags: UnsafePointer<CellTag>, cells: UnsafePointer<UInt64>, count: Int, heapCount: Int
  ) {
    guard count > 0 else { return }
    let first = tags[0]
    var difference: UInt8 = 0
    for index in 0..<count { difference |= tags[index].rawValue ^ first.rawValue }
    isMixed = difference != 0
    tag = first
    var hasIntegers = first == .integer
    var hasReals = first == .real
    var hasBytes = first == .text || first == .blob
    if isMixed {
      for index in 1..<count {
        switch tags[index] {
        case .null: break
        case .integer: hasIntegers = true
        case .real: hasReals = true
        case .text, .blob: hasBytes = true
        }
      }
    }
    switch (hasIntegers, hasReals, hasBytes) {
    case (false, false, false): width = 0
    case (true, false, false): width = integerWidth(cells, count)
    case (false, true, false):
      width = realWidth(cells, count)
      isReal = true
    case (false, false, true): width = bytesWidth(cells, count, heapCount: heapCount)
    default: width = 8
    }
  }

  /// Moves to the next offset aligned for the width; returns the end of the column.
  fileprivate mutating func place(at offset: Int, count: Int) -> Int {
    let alignment = width == 3 ? 2 : max(Int(width), 1)
    let start = (offset + alignment - 1) & ~(alignment - 1)
    require(start <= Int(UInt32.max), "a page of rows is too large")
    self.offset = UInt32(start)
    return start + (Int(width) + (isMixed ? 1 : 0)) * count
  }

  fileprivate func write(
    _ cells: UnsafePointer<UInt64>, count: Int, to memory: UnsafeMutableRawPointer
  ) {
    switch width {
    case 0: break
    case 1: Self.narrow(cells, count, to: memory, as: UInt8.self)
    case 2: Self.narrow(cells, count, to: memory, as: UInt16.self)
    case 3:
      let starts = memory.bindMemory(to: UInt16.self, capacity: count)
      let lengths = (memory + 2 * count).bindMemory(to: UInt8.self, capacity: count)
      for index in 0..<count {
        // The start of empty text may be the end of the heap; it is never used.
        starts[index] = UInt16(truncatingIfNeeded: cells[index] >> 32)
        lengths[index] = UInt8(truncatingIfNeeded: cells[index])
      }
    case 4 where isReal:
      let reals = memory.bindMemory(to: Int32.self, capacity: count)
      for index in 0..<count { reals[index] = Int32(Double(bitPattern: cells[index])) }
    case 4: Self.narrow(cells, count, to: memory, as: UInt32.self)
    default: memory.copyMemory(from: cells, byteCount: count * 8)
    }
  }

  private static func narrow<Integer: FixedWidthInteger & UnsignedInteger>(
    _ cells: UnsafePointer<UInt64>, _ count: Int, to memory: UnsafeMutableRawPointer,
    as type: Integer.Type
  ) {
    let integers = memory.bindMemory(to: type, capacity: count)
    for index in 0..<count { integers[index] = Integer(truncatingIfNeeded: cells[index]) }
  }
}
