/// Reads a file record by record. Memory does not grow with the file, only with its largest record.
///
/// A reader has its place in the file and its buffer by reference: use one reader from one place
/// at a time, and continue with the value on which `next()` was called, not with a copy of it.
package protocol RecordReader {
  /// The next record; nil at the end of the file.
  ///
  /// - Throws: `ImportError.malformed` for an invalid record: call again for the one after it.
  ///   Any other error ends the reading; from then on the answer is nil.
  mutating func next() throws -> ImportRecord?

  /// The bytes of the file.
  var input: ByteInput { get }

  /// How many bytes of the file have been read and turned into records.
  var bytesRead: Int { get }

  /// The size of the file; nil when it is not known, as for a pipe.
  var totalBytes: Int? { get }

  /// What the numbers in its text are written with.
  var decimalMark: DecimalMark { get }

  /// How days are written in its text; nil to be detected from all values of a column.
  var dateOrder: DateOrder? { get }

  /// The texts that mean no value in columns of numbers, dates and the like.
  var marks: MissingMarks { get }

  /// Whether types are found that give texts back as they are in the file.
  var keepsText: Bool { get }

  /// How the file is written, as it was said or found out.
  var findings: [ReadingFinding] { get }

  /// What was found out about the file that people should know: parts of sentences.
  var notes: [String] { get }
}

extension RecordReader {
  package var decimalMark: DecimalMark { .point }
  package var dateOrder: DateOrder? { nil }
  package var marks: MissingMarks { .usual }
  package var keepsText: Bool { false }

  /// How the texts of its columns are read as values.
  var valueReading: ValueReading {
    ValueReading(
      decimalMark: decimalMark, dates: dateOrder, marks: marks, keepsText: keepsText)
  }
}
