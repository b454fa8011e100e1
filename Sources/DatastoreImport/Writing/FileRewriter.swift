package import DatastoreCore

/// Writes a file of rows again with the values that they have now. What was not changed goes out byte for
/// byte.
package protocol FileRewriter {
  /// What was different so far.
  var changes: RewriteChanges { get }

  /// Whether what was written can change how the rest of the file is read, so that it has to be read again
  /// before it replaces the file.
  var isUncertain: Bool { get }

  /// Writes everything up to a row, and the row.
  ///
  /// - Parameters:
  ///   - key: greater than that of the row before.
  ///   - value: the value of an attribute.
  /// - Throws: what reading and writing throw.
  mutating func write(key: RowKey, _ value: (Slot) -> Value) throws

  /// Writes the rest of the file.
  ///
  /// - Returns: what has to be known the next time.
  /// - Throws: what reading and writing throw.
  mutating func finish() throws -> RewriteMemory
}

/// What has to be known to write a file that was written before.
package struct RewriteMemory: Hashable, Sendable {
  /// The keys of the rows that the records of the file are, in their order.
  var keys: [ClosedRange<Int64>]?
  /// In which order days and months are written, by column, where that was asked for: what is written could
  /// leave nothing that tells.
  var dateOrders: [String: DateOrder]?
  /// Which members of objects are which columns: another order of the objects could give them other names.
  var members: JSONMembers?

  /// For a file as its rows were read from it.
  package init() {}
}

/// What differs.
package struct RewriteChanges: Hashable, Sendable {
  package var changed = 0
  package var inserted = 0
  package var deleted = 0

  /// Nothing.
  package init() {}
}

/// Why a file cannot be written: a part of a sentence.
package struct RewriteRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
}

extension LoadSource {
  /// Why the file cannot be written; nil where it can. Reads all of one that is not UTF-8.
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

  /// A reader of the file as it is there, in UTF-8, which can then be written again.
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

  /// The same file with what is known of its members.
  func reading(members: JSONMembers?) -> LoadSource {
    var reading = reading
    reading.json.members = members
    return LoadSource(input: input, name: name, reading: reading, content: content)
  }

  /// The same read from another file.
  package func reading(path: String) -> LoadSource {
    LoadSource(input: .file(path: path), name: name, reading: reading, content: content)
  }

  /// Begins to write the file again.
  ///
  /// - Parameters:
  ///   - entity: that of the rows.
  ///   - memory: of the time when the file was written last.
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
