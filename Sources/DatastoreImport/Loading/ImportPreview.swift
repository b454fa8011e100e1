/// The beginning of a file as it is read with some settings, for a person to look at and correct.
package struct ImportPreview: Sendable {
  /// A column of the file, or a member of its objects.
  package struct Column: Hashable, Sendable {
    package let name: String
    /// The narrowest type that holds the values that were looked at; nil if none of them says anything.
    package let type: ColumnType?
  }

  /// The settings, with what was found out where they left it open.
  package let reading: ReadingOptions
  /// In the order of the file.
  package let columns: [Column]
  /// Values as text, by record and column; nil where there is none.
  package let records: [[String?]]
  /// What was found out about the file, and what is wrong with it: parts of sentences.
  package let notes: [String]
  /// The size of the file in bytes; nil when it is not known.
  package let totalBytes: Int?

  private static let sampleRecords = 1_000
  private static let sampleBytes = 1 << 20
  private static let shownRecords = 20
  private static let shownCharacters = 200

  /// Reads the first records of a file.
  ///
  /// - Throws: `ImportError` when the file cannot be read with these settings.
  package init(path: String, reading: ReadingOptions) throws {
    var found = reading
    var reader = try ByteInput(path: path).makeReader(finding: &found)
    var names = (reader as? CSVReader)?.columns ?? []
    var places = Dictionary(
      names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let decimalMark = reader.decimalMark
    var types = names.map { _ in ColumnTypeInference(decimalMark) }
    var records: [[String?]] = []
    var faults: [String] = []
    var count = 0
    while count < Self.sampleRecords, reader.bytesRead < Self.sampleBytes {
      do {
        guard let record = try reader.next() else { break }
        var row = [String?](repeating: nil, count: names.count)
        for field in record.fields {
          let place =
            places[field.name]
            ?? {
              places[field.name] = names.count
              names.append(field.name)
              types.append(ColumnTypeInference(decimalMark))
              row.append(nil)
              return names.count - 1
            }()
          types[place].observe(field.value)
          row[place] = field.value.text.map { String($0.prefix(Self.shownCharacters)) }
        }
        if records.count < Self.shownRecords { records.append(row) }
      } catch ImportError.malformed(let position, let reason) {
        faults.append("line \(position.line): \(reason)")
      }
      count += 1
    }
    self.reading = found
    columns = zip(names, types).map { Column(name: $0, type: $1.type) }
    self.records = records.map { $0 + Array(repeating: nil, count: names.count - $0.count) }
    totalBytes = reader.totalBytes
    notes =
      reader.notes
      + (faults.first.map { first in
        [faults.count == 1 ? first : "\(faults.count) records are at fault; \(first)"]
      } ?? [])
  }
}
