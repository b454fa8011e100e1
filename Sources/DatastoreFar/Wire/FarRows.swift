package import DatastoreCore
import Foundation

/// A page of rows in a message, with the bytes that it has in memory.
package struct FarPage: Codable, Sendable {
  package let page: RowPage

  package init(_ page: RowPage) {
    self.page = page
  }

  package init(from decoder: any Decoder) throws {
    guard let page = RowPage.read(try FarBytes(from: decoder).data) else {
      throw FarLineFault("a page of rows is damaged")
    }
    self.page = page
  }

  package func encode(to encoder: any Encoder) throws {
    var data = Data()
    page.append(to: &data)
    try FarBytes(data).encode(to: encoder)
  }
}

/// A row in a message: a page, and the number of the row in it.
struct FarRow: Codable, Sendable {
  let page: FarPage
  let row: Int

  init(_ row: RowReference) {
    let own = RowPage(columnCount: row.page.columnCount, rowCapacity: 1)
    let place = own.appendRow(key: row.key)
    for column in 0..<own.columnCount {
      own.copyCell(from: row.page, row: row.row, to: place, column: column)
    }
    own.seal()
    page = FarPage(own)
    self.row = place
  }

  var reference: RowReference {
    get throws {
      guard page.page.rowCount > row, row >= 0 else {
        throw FarLineFault("a row is not in its page")
      }
      return RowReference(page.page, row)
    }
  }
}

extension FarRow {
  /// - Throws: `FarLineFault` if it lacks a column.
  func reference(of entity: Entity) throws -> RowReference {
    let row = try reference
    guard row.page.columnCount >= entity.slots.count else {
      throw FarLineFault("a row has fewer columns than its table")
    }
    return row
  }
}

/// Keys in a message: 8 bytes each.
struct FarKeys: Codable, Sendable {
  let keys: [RowKey]

  init(_ keys: [RowKey]) {
    self.keys = keys
  }

  init(from decoder: any Decoder) throws {
    let data = try FarBytes(from: decoder).data
    guard data.count % 8 == 0 else { throw FarLineFault("a list of keys is cut") }
    keys = data.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 8).map {
        RowKey(bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self))
      }
    }
  }

  func encode(to encoder: any Encoder) throws {
    var data = Data(capacity: keys.count * 8)
    for key in keys { withUnsafeBytes(of: key.rawValue) { data.append(contentsOf: $0) } }
    try FarBytes(data).encode(to: encoder)
  }
}

/// A list of keys with its sections in a message.
package struct FarKeyList: Codable, Sendable {
  private enum Piece: Codable, Sendable {
    case run(RowKey, Int)
    case keys(FarKeys)
    case unread(Int)
  }

  private let pieces: [Piece]
  private let sections: [KeyList.Section]

  init(_ list: KeyList) {
    pieces = list.keys.pieces.map { piece in
      switch piece {
      case .run(let first, let count): .run(first, count)
      case .keys(let keys): .keys(FarKeys(keys))
      case .unread(let count): .unread(count)
      }
    }
    sections = list.sections
  }

  var list: KeyList {
    get throws {
      let keys = KeyChunks(
        pieces.map { piece in
          switch piece {
          case .run(let first, let count): .run(first: first, count: count)
          case .keys(let keys): .keys(keys.keys)
          case .unread(let count): .unread(count)
          }
        })
      guard let keys, sections.allSatisfy({ $0.count >= 0 }),
        sections.reduce(into: 0, { $0 &+= $1.count }) == keys.count
      else { throw FarLineFault("a list has other sections than keys") }
      return KeyList(keys: keys, sections: sections)
    }
  }
}
