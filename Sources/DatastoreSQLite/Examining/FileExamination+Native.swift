import DatastoreCore
import DatastoreSQL
import GRDB

extension FileExamination {
  /// Compares a native file's description of itself with its content.
  mutating func reportNativeFile(_ database: Database) throws {
    func said(_ key: String) throws -> String? { try FileMetadata.value(key, in: database) }
    var text = "SwiftDatastore, format \(try said("format") ?? "unknown")"
    if let version = try said("version") { text += ", version “\(version)” of its model" }
    if let uuid = try said("uuid") { text += ", store \(uuid)" }
    report("made by", text)
    let schema: Schema
    do {
      try NativeFile.checkFormat(database, path: path)
      schema = try NativeFile.schema(in: database, path: path)
    } catch let error as StoreError {
      if case .unknownFormat = error {
        return report(
          "entities", error.description, .attention,
          advice: "Use a newer version of this program, which understands the file.")
      }
      return report("entities", error.description, .damage, advice: Self.damageAdvice)
    }
    try reportFingerprints(of: schema, in: database)
    let (_, tables) = try SchemaMapping.described(schema, in: database, annotations: nil)
    if let sentence = SchemaDifferences.sentence(tables?.differences ?? []) {
      report(
        "entities", sentence, .attention,
        advice: """
          The tables are not those that the model of this store has made. Its program migrates it, or says what is in the way; \
          “datastore schema” shows all that differs.
          """)
    } else {
      report("entities", "\(schema.entities.count), whose tables are as the file says")
    }
    let joint = try RawStatement(
      """
      SELECT count(*) FROM _datastore WHERE key >= \(.text(FileMetadata.commitPrefix)) \
      AND key < 'joint;'
      """, in: database
    ).firstInteger()
    if let joint, joint > 0 { report("joint saves", "with \(joint) other stores") }
  }

  private mutating func reportFingerprints(of schema: Schema, in database: Database) throws {
    // Fingerprints of older formats were computed in another way.
    guard try FileMetadata.value("format", in: database) == StoreDescription.format else { return }
    let hashes = EntityHash.all(schema.entities.map(\.description))
    let differing = try hashes.keys.sorted().filter { name in
      try FileMetadata.value("hash:\(name)", in: database) != hashes[name]?.tables.digits
        || FileMetadata.value("rules:\(name)", in: database) != hashes[name]?.rules.digits
    }
    if differing.isEmpty {
      report("fingerprints", "ok: those of \(hashes.count) entities are as computed")
    } else {
      report(
        "fingerprints", "of \(differing.joined(separator: ", ")): not as computed", .attention,
        advice: """
          Somebody has written the table “_datastore” by hand. The store is read by its description, so nothing is lost; other \
          tools that compare fingerprints take it for another version.
          """)
    }
  }
}
