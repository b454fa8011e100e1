/// The form of a CSV file: as given, and otherwise as its first records suggest.
struct CSVDialect {
  /// Finds the fields of the records.
  let scanner: CSVScanner
  let decimalMark: DecimalMark
  let hasHeader: Bool
  /// The texts that, without quotes, mean a missing value.
  let missing: Set<String>
  let findings: [ReadingFinding]

  /// Examines the first records of a file, which stay to be read.
  ///
  /// - Throws: `ImportError.inaccessible`.
  init(of input: ByteInput, _ options: CSVReader.Options) throws {
    var findings = [input.encodingFinding].compactMap(\.self)
    let found = try CSVDelimiter.detect(in: input, options)
    let delimiter = found.delimiter
    findings.append(
      ReadingFinding(.delimiter, CSVReader.name(ofDelimiter: delimiter), because: found.reason))
    let hasQuotes = options.quotes ?? (found.plainQuotes == nil)
    scanner = CSVScanner(
      delimiter: delimiter, hasQuotes: hasQuotes, comment: options.comment,
      isLenient: options.keepsIrregular)
    if options.quotes != nil || !hasQuotes {
      findings.append(
        ReadingFinding(
          .quotes, hasQuotes ? "enclose fields" : "are signs like others",
          because: found.plainQuotes))
    }
    let isDecimalOpen = options.decimalMark == nil && delimiter != Byte.comma
    // Waiting for so much of a pipe just to find marks is not worth it.
    let areMarksOpen = options.missing == nil && input.totalBytes != nil
    let sample =
      isDecimalOpen || options.header == .detect || areMarksOpen
      ? try CSVSample.records(of: input, scanner) : []
    decimalMark = options.decimalMark ?? DecimalMark.detect(in: sample, delimiter: delimiter)
    let reading = ValueReading(
      decimalMark: decimalMark, dates: options.dates,
      marks: options.missing.map(MissingMarks.init) ?? .usual)
    switch options.header {
    case .present, .absent:
      hasHeader = options.header == .present
      findings.append(ReadingFinding(.header, hasHeader ? "yes" : "no", because: nil))
    case .detect:
      let found = CSVHeader.detect(in: sample, reading, names: options.tableColumns)
      hasHeader = found.isPresent
      findings.append(ReadingFinding(.header, hasHeader ? "yes" : "no", because: found.reason))
    }
    if options.decimalMark != nil || decimalMark == .comma {
      findings.append(
        ReadingFinding(
          .decimals, decimalMark.rawValue,
          because: options.decimalMark == nil ? "columns have numbers such as 3,5" : nil))
    }
    if let given = options.missing {
      missing = given
      findings.append(ReadingFinding(.missing, Self.shown(given), because: nil))
    } else if let detected = options.detectedMissing {
      missing = detected
    } else {
      let found = Self.marks(in: sample.dropFirst(hasHeader ? 1 : 0), reading)
      missing = found.union([""])
      if !found.isEmpty {
        findings.append(
          ReadingFinding(
            .missing, Self.shown(missing), because: "columns of numbers or dates have it, too"))
      }
    }
    self.findings = findings
  }

  /// The marks that occur in columns whose values are not text, and so mean missing values in columns of text
  /// as well.
  private static func marks(
    in records: ArraySlice<[String]>, _ reading: ValueReading
  ) -> Set<String> {
    var found: Set<String> = []
    for index in 0..<(records.lazy.map(\.count).max() ?? 0) {
      let cells = records.compactMap { index < $0.count ? $0[index] : nil }
      let marks = MissingMarks.certain.intersection(cells)
      if marks.isEmpty { continue }
      let type = ColumnTypeInference.type(of: cells.lazy.map(ImportValue.text), reading)
      if let type, type != .string { found.formUnion(marks) }
    }
    return found
  }

  private static func shown(_ texts: Set<String>) -> String {
    texts.sorted().map { $0.isEmpty ? "nothing" : $0.shownInMessage }.joined(separator: ", ")
  }
}
