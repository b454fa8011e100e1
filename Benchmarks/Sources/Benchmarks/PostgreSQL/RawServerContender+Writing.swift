#if PostgreSQL
import Foundation

extension RawServerContender {
  /// Bytes of one piece of COPY.
  private static let piece = 65_536

  func insert(batch size: Int) throws -> Double {
    var watch = Stopwatch()
    for start in stride(from: 0, to: rows, by: size) {
      let batch = (start..<min(start + size, rows)).map { EmployeeValues(row: $0) }
      try watch.time { try copy(batch, from: start) }
    }
    return watch.seconds
  }

  private func copy(_ batch: [EmployeeValues], from start: Int) throws {
    var next = 0
    var isEnded = false
    try connection.copyIn(#""Employee" (\#(Self.columns))"#) {
      if isEnded { return nil }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(Self.piece + 256)
      if next == 0 {
        bytes += Array("PGCOPY\n".utf8) + [255, 13, 10, 0] + [UInt8](repeating: 0, count: 8)
      }
      while next < batch.count, bytes.count < Self.piece {
        bytes.append(batch[next], key: Int64(start + next + 1))
        next += 1
      }
      if next == batch.count {
        isEnded = true
        bytes.append(network: -1 as Int16)
      }
      return bytes
    }
  }

  func update() throws -> Double {
    let keys = EmployeeValues.keys(of: rows).sorted()
    let originals = keys.map { EmployeeValues(row: Int($0) - 1).salary }
    var watch = Stopwatch()
    try watch.time {
      _ = try connection.run(
        #"""
        UPDATE "Employee" AS e SET "salary" = g.n FROM unnest($1, $2, $3) AS g (k, n, o) \#
        WHERE e."_id" = g.k AND e."salary" IS NOT DISTINCT FROM g.o
        """#,
        [
          ServerArray(bigints: keys), ServerArray(doubles: keys.indices.map { Double($0) }),
          ServerArray(doubles: originals),
        ])
    }
    return watch.seconds
  }

  /// The changes of `MixedSave`, in one message.
  func save() throws -> Double {
    let mix = MixedSave(rows: rows)
    func values(_ keys: [Int64]) -> [EmployeeValues] {
      keys.map { EmployeeValues(row: Int($0) - 1) }
    }
    let raised = values(mix.raised)
    let renamed = values(mix.renamed)
    let new = mix.new
    var watch = Stopwatch()
    try watch.time {
      var columns = [
        ServerArray(bigints: new.indices.map { Int64(rows + 1_000_000 + $0) }),
        ServerArray(ServerArray.text, count: new.count),
        ServerArray(ServerArray.text, count: new.count),
        ServerArray(bigints: new.map { Int64($0.age) }),
        ServerArray(doubles: new.map(\.salary)),
        ServerArray(bigints: new.map { Int64($0.position) }),
        ServerArray(bigints: new.map(\.department)),
        ServerArray(ServerArray.instant, count: new.count),
        ServerArray(ServerArray.text, count: new.count),
      ]
      for values in new {
        columns[1].append(values.name)
        columns[2].append(values.surname)
        columns[7].append(values.serverTime)
        columns[8].append(values.email)
      }
      var surnames = ServerArray(ServerArray.text, count: renamed.count)
      var originals = surnames
      for (number, values) in renamed.enumerated() {
        surnames.append(MergeMeasurement.surname(number))
        originals.append(values.surname)
      }
      try connection.pipeline([
        ("BEGIN", []),
        (
          #"""
          UPDATE "Employee" AS e SET "salary" = g.s, "age" = g.a \#
          FROM unnest($1, $2, $3, $4, $5) AS g (k, s, a, o, p) WHERE e."_id" = g.k \#
          AND e."salary" IS NOT DISTINCT FROM g.o AND e."age" IS NOT DISTINCT FROM g.p
          """#,
          [
            ServerArray(bigints: mix.raised),
            ServerArray(doubles: raised.map { $0.salary + 1 }),
            ServerArray(bigints: raised.map { Int64($0.age) + 1 }),
            ServerArray(doubles: raised.map(\.salary)),
            ServerArray(bigints: raised.map { Int64($0.age) }),
          ]
        ),
        (
          #"""
          UPDATE "Employee" AS e SET "surname" = g.n FROM unnest($1, $2, $3) AS g (k, n, o) \#
          WHERE e."_id" = g.k AND e."surname" IS NOT DISTINCT FROM g.o
          """#, [ServerArray(bigints: mix.renamed), surnames, originals]
        ),
        (#"DELETE FROM "Employee" WHERE "_id" = ANY($1)"#, [ServerArray(bigints: mix.deleted)]),
        (
          #"""
          INSERT INTO "Employee" (\#(Self.columns)) \#
          SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9)
          """#, columns
        ),
        ("COMMIT", []),
      ])
    }
    return watch.seconds
  }
}

extension EmployeeValues {
  /// Microseconds since the beginning of 2000.
  fileprivate var serverTime: Int64 { Int64((hired + 31_622_400) * 1e6) }
}

extension [UInt8] {
  /// A row as COPY has it: the number of fields, and those.
  fileprivate mutating func append(_ values: EmployeeValues, key: Int64) {
    append(network: 9 as Int16)
    append(field: key)
    append(field: values.name)
    append(field: values.surname)
    append(field: Int64(values.age))
    append(field: values.salary.bitPattern)
    append(field: Int64(values.position))
    append(field: values.department)
    append(field: values.serverTime)
    append(field: values.email)
  }
}
#endif
