extension LoadSource {
  /// Reads the file to find out its columns.
  ///
  /// - Parameters:
  ///   - sampleSize: about how many bytes of the file are read; nil for all.
  ///   - progress: called after every batch of records, with their number.
  func observedColumns(
    batchSize: Int, sampleSize: Int? = nil, progress: (any RecordReader, Int) throws -> Void
  ) throws -> ObservedColumns {
    var whole = self
    whole.reading.mostRecords = nil
    var reader = try whole.makeReader()
    var columns = ObservedColumns(reader)
    // Both share their place in the file by reference; only one of them is asked for records.
    var csv = reader as? CSVReader
    func observeNext() throws -> Bool {
      if let isRecord = try csv?.observeNext(into: &columns) { return isRecord }
      guard let record = try reader.next() else { return false }
      columns.observe(record)
      return true
    }
    while true {
      do {
        guard try observeNext() else {
          columns.isWhole = true
          break
        }
      } catch ImportError.malformed {
        columns.countRecord()
      }
      if columns.recordCount.isMultiple(of: batchSize) {
        try progress(reader, columns.recordCount)
      }
      if let most = reading.mostRecords {
        // All requested records are among these.
        columns.isWhole =
          columns.recordCount >= most
          && (reader.totalBytes == nil || reader.input.offset >= ByteInput.typeSampleSize)
        if columns.isWhole { break }
      } else if let sampleSize, reader.bytesRead >= sampleSize {
        break
      }
    }
    columns.members = (reader as? JSONReader)?.members
    try progress(reader, columns.recordCount)
    return columns
  }
}

extension CSVReader {
  /// Counts the fields of the next record; false at the end of the file.
  fileprivate mutating func observeNext(into columns: inout ObservedColumns) throws -> Bool {
    guard let length = try findNext() else { return false }
    if form(length: length) == .irregular {
      columns.observe(try takeRecord(length: length))
      return true
    }
    let bytes = input.window
    for (index, field) in scanner.fields.enumerated() {
      let content = bytes.slice(field.content)
      if isMissing(field, content) { continue }
      if !field.hasDoubledQuotes, columns.observe(plain: content, at: index) != nil { continue }
      columns.observe(try value(of: field), at: index)
    }
    consumeRecord(length: length)
    columns.countRecord()
    return true
  }
}
