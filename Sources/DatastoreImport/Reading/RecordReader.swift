/// Reads a file record by record. Memory does not grow with the file, only with its largest record.
///
/// A reader shares its place in the file and its buffer by reference: use one reader from one place at a
/// time, and continue with the value on which `next()` was called, not with a copy of it.
package protocol RecordReader {
  /// The next record; nil at the end of the file.
  ///
  /// - Throws: `ImportError.malformed` for an invalid record: call again for the one after it. Any other
  ///   error ends the reading; from then on the result is nil.
  mutating func next() throws -> ImportRecord?

  /// The bytes of the file.
  var input: ByteInput { get }

  /// How many bytes of the file have been read and turned into records.
  var bytesRead: Int { get }

  /// The size of the file; nil when it is not known, as for a pipe.
  var totalBytes: Int? { get }

  /// The decimal mark of numbers in its text.
  var decimalMark: DecimalMark { get }

  /// The order of day and month in its dates; nil to be detected from all values of a column.
  var dateOrder: DateOrder? { get }

  /// The texts that mean a missing value in columns of numbers, dates and the like.
  var marks: MissingMarks { get }

  /// Whether to infer types that restore texts as they are in the file.
  var keepsText: Bool { get }

  /// Whether `inf`, and numbers with more digits than a Double keeps, are numbers.
  var takesEveryNumber: Bool { get }

  /// The properties of the file, as given or detected.
  var findings: [ReadingFinding] { get }

  /// Notes for the user about the file: parts of sentences.
  var notes: [String] { get }
}

extension RecordReader {
  package var decimalMark: DecimalMark { .point }
  package var dateOrder: DateOrder? { nil }
  package var marks: MissingMarks { .usual }
  package var keepsText: Bool { false }
  package var takesEveryNumber: Bool { false }

  /// How the texts of its columns are read as values.
  var valueReading: ValueReading {
    ValueReading(
      decimalMark: decimalMark, dates: dateOrder, marks: marks, keepsText: keepsText,
      takesEveryNumber: takesEveryNumber)
  }
}
