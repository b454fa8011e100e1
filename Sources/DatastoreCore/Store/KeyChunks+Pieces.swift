/// A list of keys in pieces, for another process.
extension KeyChunks {
  package enum Piece: Sendable {
    /// Consecutive keys.
    case run(first: RowKey, count: Int)
    case keys([RowKey])
    /// A number of keys that have not been read.
    case unread(Int)
  }

  /// The list in its order, with at most some thousand keys in a piece.
  package var pieces: [Piece] {
    chunks.map { chunk in
      switch chunk {
      case .run(let first, let count): .run(first: RowKey(first), count: count)
      case .unread(let count): .unread(count)
      case .narrow, .wide: .keys(chunk.keys.map { RowKey($0) })
      }
    }
  }

  /// The list of some pieces.
  ///
  /// - Returns: nil if a run exceeds the range of keys, or a piece has a negative number of keys.
  package init?(_ pieces: [Piece]) {
    self.init()
    for piece in pieces {
      switch piece {
      case .run(let first, let count):
        let (_, isHuge) = first.rawValue.addingReportingOverflow(Int64(count))
        guard count >= 0, !isHuge, !self.count.addingReportingOverflow(count).overflow else {
          return nil
        }
        append(.run(first: first.rawValue, count: count))
      case .keys(let keys):
        append(KeyChunk(packing: ContiguousArray(keys.map(\.rawValue))))
      case .unread(let count):
        guard count >= 0, !self.count.addingReportingOverflow(count).overflow else { return nil }
        append(.unread(count: count))
      }
    }
  }
}
