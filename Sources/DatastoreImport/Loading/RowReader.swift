import DatastoreCore
import Gates

/// Reads the records of a file into the cells of pages, if all of its columns fill attributes of new rows.
protocol RowReader {
  /// Turns the fields of a record into cells.
  var cells: RowCells { get }
  /// Records so far, invalid ones included.
  var recordCount: Int { get }
  var bytesRead: Int { get }
  var irregular: IrregularRecords { get }
  /// The beginning of the last record, in bytes from the start of the file; nil for a file that is decoded
  /// while it is read.
  var place: Int? { get }
  /// The columns whose texts are kept beside the rows, nil for those that the file does not have.
  var keptColumns: [Int?] { get set }

  /// Appends the text of a column in the last record.
  func append(column place: Int?, to texts: inout RowTexts)

  /// Reads the next record into a row, whose cells are NULL.
  ///
  /// - Returns: false at the end of the file.
  /// - Throws: `LoadFault` for a record that is left out, `GuessedTypes.Refuted`, and the errors of reading.
  mutating func read(into page: RowPage, row: Int) throws -> Bool

  /// Reads all records into sealed pages.
  ///
  /// - Parameter send: receives them in batches; false when no more are wanted.
  mutating func readAll(
    batchSize: Int, firstBatch: Int, reserveKeys: (Int) throws -> RowKey,
    _ send: (RowStream.Batch) throws -> Bool
  ) throws
}

/// Written once and compiled for each kind of file: it is called through the protocol once for a file, and
/// the functions it calls for each row are not.
extension RowReader {
  mutating func readAll(
    batchSize: Int, firstBatch: Int, reserveKeys: (Int) throws -> RowKey,
    _ send: (RowStream.Batch) throws -> Bool
  ) throws {
    let capacity = RowPage.fullCount
    var page = RowPage(columnCount: cells.requirements.entity.slotCount, rowCapacity: capacity)
    var keys = Range(uncheckedBounds: (Int64(0), Int64(0)))
    var batch = RowStream.Batch()
    var (sentCount, rowCount) = (0, 0)
    var size = firstBatch
    func seal() {
      if page.rowCount == 0 { return }
      let full = page
      page = RowPage(sealing: full)
      batch.pages.append(full)
    }
    func finish() throws -> Bool {
      batch.recordCount = recordCount
      batch.bytesRead = bytesRead
      batch.irregular = irregular
      defer { batch = RowStream.Batch() }
      return try send(batch)
    }
    while true {
      if keys.isEmpty {
        let first = try reserveKeys(capacity).rawValue
        keys = first..<(first + Int64(capacity))
      }
      let row = page.appendRow(key: RowKey(keys.lowerBound))
      do {
        guard try read(into: page, row: row) else { break }
        keys = (keys.lowerBound + 1)..<keys.upperBound
        if rowCount.isMultiple(of: RowStream.stride), let place { batch.places.append(place) }
        rowCount += 1
        for column in keptColumns { append(column: column, to: &batch.texts) }
      } catch let fault as LoadFault {
        page.removeLastRow()
        batch.faults.append(fault)
      }
      if page.isFull { seal() }
      guard recordCount - sentCount >= size else { continue }
      size = min(size * 2, batchSize)
      seal()
      sentCount = recordCount
      if try !finish() { return }
    }
    page.removeLastRow()
    seal()
    _ = try finish()
  }
}
