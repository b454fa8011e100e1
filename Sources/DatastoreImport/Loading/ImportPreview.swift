/// The beginning of a file as it is read with some settings, for a user to check and correct.
package struct ImportPreview: Sendable {
  /// A column of the file, or a member of its objects.
  package struct Column: Hashable, Sendable {
    package let name: String
    /// The narrowest type that holds the values that were read; nil if they do not determine one.
    package let type: ColumnType?
    /// The type that the file says; nil for text, which says none.
    package let saidType: ColumnType?
  }

  /// The tables of an archive or a workbook; empty for text, which is one.
  package let tables: [LoadSource]
  /// The one of them that this is.
  package let table: Int
  /// Whether delimiters, encoding and decimals are known: a sheet has none.
  package let isOfKnownForm: Bool

  /// The settings, completed with the detected ones.
  package let reading: ReadingOptions
  /// In the order of the file.
  package let columns: [Column]
  /// Values as text, by record and column; nil if there is none.
  package let records: [[String?]]
  /// The detected properties of the file, with the reasons.
  package let findings: [ReadingFinding]
  /// The arrays of objects in a document that is one object: paths that can be read instead of it.
  package let arrays: [String]
  /// Whether some dates are written so that the user may have to state the order of day and month.
  package let hasOpenDates: Bool
  /// Observations and faults of the file: parts of sentences.
  package let notes: [String]
  /// The size of the file in bytes; nil when it is not known.
  package let totalBytes: Int?

  private static let sampleRecords = 1_000
  private static let sampleBytes = 1 << 20
  private static let shownRecords = 20
  private static let shownCharacters = 200

  /// Reads the first records of a file.
  ///
  /// - Parameters:
  ///   - tables: those of an earlier preview of the file, which is not converted again.
  ///   - table: which of them to read.
  /// - Throws: `ImportError` when the file cannot be read with these settings.
  package init(
    path: String, reading: ReadingOptions, tables given: [LoadSource] = [], table: Int = 0
  ) throws {
    let conversion = FileConversion(of: path)
    var found = conversion?.reading(reading) ?? reading
    let isRead = conversion == nil || !given.isEmpty
    tables = isRead ? given : try LoadPlan(paths: [path], reading: reading).sources
    isOfKnownForm = conversion?.isOfKnownForm ?? false
    self.table = table
    let input = try tables.isEmpty ? ByteInput(path: path) : tables[table].open()
    var reader = try input.makeReader(finding: &found)
    var observed = ObservedColumns(reader)
    var sample: [ImportRecord] = []
    var faults: [String] = []
    while observed.recordCount < Self.sampleRecords, reader.bytesRead < Self.sampleBytes {
      do {
        guard let record = try reader.next() else { break }
        observed.observe(record)
        if sample.count < Self.shownRecords { sample.append(record) }
      } catch ImportError.malformed(let position, let reason) {
        observed.countRecord()
        faults.append("line \(position.line): \(reason)")
      }
    }
    self.reading = found
    let said = tables.isEmpty ? [:] : tables[table].saidTypes
    columns = observed.columns.map {
      let type = said[$0.name]
      return Column(name: $0.name, type: type ?? observed.type(of: $0), saidType: type)
    }
    records = sample.map { record in
      observed.columns.map { column in
        record[column.name]?.text.map { String($0.prefix(Self.shownCharacters)) }
      }
    }
    totalBytes = reader.totalBytes
    findings = reader.findings
    arrays = observed.arrays
    hasOpenDates = found.csv.dates != nil || observed.columns.contains(where: \.types.isAmbiguous)
    var notes = reader.notes
    if let first = faults.first {
      notes.append(
        faults.count == 1 ? first : "\(faults.count) records are invalid; \(first)")
    }
    self.notes =
      notes + observed.columns.compactMap(observed.sentence)
      + [observed.listSentence].compactMap(\.self)
  }
}
