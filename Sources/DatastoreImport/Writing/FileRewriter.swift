package import DatastoreCore

/// Rewrites a file of rows with their current values. Unchanged text is copied byte for byte.
package protocol FileRewriter {
  /// The differences so far.
  var changes: RewriteChanges { get }

  /// Whether the output may change how the rest of the file is read, so that it has to be read again before
  /// it replaces the file.
  var isUncertain: Bool { get }

  /// Writes everything up to a row, and the row.
  ///
  /// - Parameters:
  ///   - key: greater than that of the row before.
  ///   - value: the value of an attribute.
  /// - Throws: the errors of reading and writing.
  mutating func write(key: RowKey, _ value: (Slot) -> Value) throws

  /// Writes the rest of the file.
  ///
  /// - Returns: the memory for the next rewrite.
  /// - Throws: the errors of reading and writing.
  mutating func finish() throws -> RewriteMemory
}

/// The details needed to rewrite a file that was rewritten before.
package struct RewriteMemory: Hashable, Sendable {
  /// The keys of the rows that the records of the file are, in their order.
  var keys: [ClosedRange<Int64>]?
  /// The order of days and months, by column, if it was needed: the new text could leave nothing that
  /// determines it.
  var dateOrders: [String: DateOrder]?
  /// The mapping of members to columns: another order of the objects could give them other names.
  var members: JSONMembers?

  /// For a file as its rows were read from it.
  package init() {}
}

/// The number of differences.
package struct RewriteChanges: Hashable, Sendable {
  package var changed = 0
  package var inserted = 0
  package var deleted = 0

  /// No differences.
  package init() {}
}

/// The reason why a file cannot be rewritten: a part of a sentence.
package struct RewriteRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
}

extension LoadSource {
  /// The reason why the file cannot be rewritten; nil if it can. Reads all of one that is not UTF-8.
  ///
  /// - Throws: `ImportError` when it cannot be read.
  package func rewritingRefusal() throws -> RewriteRefusal? {
    guard case .file(let path) = input, !path.hasPrefix("/proc/") else {
      return RewriteRefusal(
        description: "its rows come from a pipe, or from a file that is not text")
    }
    let source = try settled()
    do {
      let reader = try source.makeReader()
      try Self.requireRewritable(reader)
      guard let encoding = source.reading.encoding, encoding != .utf8,
        try !source.isRestored(from: encoding)
      else { return nil }
      return RewriteRefusal(
        description: "its bytes are not all \(encoding.title); export the rows instead")
    } catch let refusal as RewriteRefusal {
      return refusal
    }
  }

  private static func requireRewritable(_ reader: any RecordReader) throws {
    if let json = reader as? JSONReader, json.options.flattens {
      throw RewriteRefusal(
        description: "members of nested objects are columns of their own; export the rows instead")
    }
    if reader.input.isCompressed {
      throw RewriteRefusal(description: "it is compressed; export the rows instead")
    }
  }

  /// A reader of the unchanged file, in UTF-8, which can then be rewritten.
  ///
  /// - Throws: `RewriteRefusal`, `ImportError`.
  func makeVerbatimReader() throws -> any RecordReader {
    let reader = try makeReader()
    try Self.requireRewritable(reader)
    guard reader.input.isVerbatim else {
      throw RewriteRefusal(description: "it has become another file")
    }
    return reader
  }

  /// The same file with the known mapping of its members.
  func reading(members: JSONMembers?) -> LoadSource {
    var reading = reading
    reading.json.members = members
    return LoadSource(input: input, name: name, reading: reading, content: content)
  }

  /// The same source read from another file.
  package func reading(path: String) -> LoadSource {
    LoadSource(input: .file(path: path), name: name, reading: reading, content: content)
  }

  /// Begins to rewrite the file.
  ///
  /// - Parameters:
  ///   - entity: the entity of the rows.
  ///   - memory: the result of the last rewrite.
  ///   - descriptor: the same file, opened; it stays open.
  ///   - write: receives the bytes of the new file.
  /// - Throws: `RewriteRefusal` for a file that cannot be written, `ImportError`.
  package func makeRewriter(
    _ entity: Entity, memory: RewriteMemory, descriptor: Int32,
    write: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> any FileRewriter {
    if let encoding = try settled().reading.encoding, encoding != .utf8 {
      return try EncodedRewriter(self, in: encoding, entity, memory: memory, write: write)
    }
    return try makeVerbatimRewriter(entity, memory: memory, descriptor: descriptor, write: write)
  }

  func makeVerbatimRewriter(
    _ entity: Entity, memory: RewriteMemory, descriptor: Int32,
    write: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> any FileRewriter {
    if let reader = try makeVerbatimReader() as? JSONReader {
      return try JSONRewriter(
        reading(members: memory.members ?? reader.options.members), entity: entity, memory: memory,
        descriptor: descriptor, write: write)
    }
    return try CSVRewriter(
      self, entity: entity, memory: memory, descriptor: descriptor, write: write)
  }
}
