/// The keys of a sorted, sectioned list: at most eight bytes a row, and a small table of sections.
package struct KeyList: Sendable, Hashable {
  /// Consecutive rows with equal group keys.
  package struct Section: Sendable, Hashable, Codable {
    /// The value that the rows share; NULL without a group key.
    package var value: Value
    package var count: Int

    package init(value: Value, count: Int) {
      self.value = value
      self.count = count
    }
  }

  /// All keys, section after section. Without a group key there is one section, or none when there are no
  /// keys.
  package var keys: KeyChunks
  package var sections: [Section] {
    didSet { countStarts() }
  }
  /// The index of the first key of each section.
  package private(set) var starts: [Int] = []

  package init(keys: KeyChunks = KeyChunks(), sections: [Section] = []) {
    self.keys = keys
    self.sections = sections
    countStarts()
  }

  package init(keys: [RowKey], sections: [Section] = []) {
    self.init(keys: KeyChunks(keys), sections: sections)
  }

  /// A list without a group key.
  package init(ofOneSection keys: KeyChunks) {
    self.init(
      keys: keys, sections: keys.isEmpty ? [] : [Section(value: .null, count: keys.count)])
  }

  private mutating func countStarts() {
    var start = 0
    starts.removeAll(keepingCapacity: true)
    for section in sections {
      starts.append(start)
      start += section.count
    }
  }

  /// The section of an index of `keys`. O(log sections).
  package func section(at index: Int) -> Int {
    starts.partitioningIndex { $0 > index } - 1
  }

  /// The index of a place, or nil when there is no such place. O(1).
  package func index(section: Int, row: Int) -> Int? {
    guard sections.indices.contains(section), row >= 0, row < sections[section].count else {
      return nil
    }
    return starts[section] + row
  }

  /// The rows of a range, and the sections they are in. O(rows + sections).
  package func part(_ rows: Range<Int>) -> KeyList {
    let rows = rows.clamped(to: 0..<keys.count)
    let parts = zip(starts, sections).map { start, section in
      Section(
        value: section.value,
        count: rows.clamped(to: start..<start + section.count).count)
    }
    return KeyList(keys: KeyChunks(keys.unpacked(rows)), sections: parts.filter { $0.count > 0 })
  }
}

extension [KeyList.Section] {
  /// Adds rows after all others: to the last section, or to a new one if that has another value.
  package mutating func add(_ count: Int = 1, of value: Value) {
    if let last, Value.compare(last.value, value) == .same {
      self[endIndex - 1].count += count
    } else {
      append(KeyList.Section(value: value, count: count))
    }
  }
}
