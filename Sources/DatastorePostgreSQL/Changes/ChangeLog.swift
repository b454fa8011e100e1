#if PostgreSQL
import DatastoreCore
import DatastoreSQL
import Foundation

/// The table `_datastore_changes` of a native store: one row for each transaction that has written, with the
/// changes it made.
///
/// The rows tell programs what others have changed, also after a lost connection, and tell a program that
/// saves whether a save whose answer was lost was committed. Their numbers are assigned before the commit, so
/// the order of numbers is not the order of commits, and "all after the last number" would miss some.
/// Programs ask instead for the rows that have become visible since an earlier snapshot of the server
/// (`pg_current_snapshot()`), which is exact.
///
/// Programs that write the tables with other libraries, such as psql, write no row. The tables therefore have
/// a trigger that writes one for them, which names whole entities only; sessions of this library identify
/// themselves and bypass it.
struct ChangeLog {
  let mapping: SchemaMapping
  /// The server's capabilities. If it does not tell transactions apart, the log only says which saves were
  /// committed.
  let capabilities: ServerCapabilities

  /// - Parameter schema: the name of the store's schema.
  func statements(in schema: String) -> [SQLFragment] {
    // If transactions have no numbers, the log can only say whether a save was committed.
    guard capabilities.contains(.snapshots) else { return [table(with: "")] }
    let tables: [SQLFragment] = [
      table(with: "\(name: "xid") xid8 NOT NULL DEFAULT pg_current_xact_id(), "),
      """
      CREATE INDEX \(name: "_datastore_changes_xid") ON \(name: "_datastore_changes") \
      (\(name: "xid"))
      """,
    ]
    return capabilities.contains(.triggers) ? tables + [function(in: schema)] + triggers : tables
  }

  private func function(in schema: String) -> SQLFragment {
    // One row for each table in a transaction, however many statements it has.
    """
    CREATE OR REPLACE FUNCTION \(name: Self.trigger)() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER \
    SET search_path = \(name: schema), pg_catalog, pg_temp AS $$ BEGIN \
    INSERT INTO \(name: "_datastore_changes") (\(name: "save"), \(name: "changes")) VALUES \
    (md5(pg_current_xact_id()::text || now()::text || TG_ARGV[0])::uuid, \
    decode(TG_ARGV[0], 'hex')) ON CONFLICT DO NOTHING; RETURN NULL; END $$
    """
  }

  private func table(with number: SQLFragment) -> SQLFragment {
    """
    CREATE TABLE \(name: "_datastore_changes") (\(name: "save") uuid PRIMARY KEY, \
    \(name: "seq") bigint GENERATED ALWAYS AS IDENTITY, \(number)\
    \(name: "at") timestamptz NOT NULL DEFAULT now(), \(name: "session") uuid, \
    \(name: "author") text, \(name: "changes") bytea NOT NULL)
    """
  }

  /// The name of the trigger, and of its function.
  static let trigger = "_datastore_note_change"

  /// Creates or replaces the triggers of all tables; empty if the server has no triggers.
  var triggers: [SQLFragment] {
    guard capabilities.isSuperset(of: [.snapshots, .triggers]) else { return [] }
    let coder = ChangeCoder(mapping.schema)
    var tables: [(name: String, entities: Set<EntityIndex>)] = []
    // A statement trigger would have to run on all machines.
    for entity in mapping.schema.entities
    where entity.parent == nil && mapping.entities[entity.index].distribution?.isSpread != true {
      tables.append((mapping.entities[entity.index].table, Set(entity.members)))
    }
    for entity in mapping.schema.entities {
      for slot in mapping.entities[entity.index].slots {
        guard case .toManyJoin(let join) = slot else { continue }
        if let place = tables.firstIndex(where: { $0.name == join.table }) {
          tables[place].entities.insert(entity.index)
        } else {
          tables.append((join.table, [entity.index]))
        }
      }
    }
    return tables.map { table, entities in
      let bytes = coder.anyRow(of: entities)
      let hexadecimal = bytes.withUnsafeBytes { Hexadecimal.text($0, Hexadecimal.lowercase) }
      return """
        CREATE OR REPLACE TRIGGER \(name: Self.trigger) \
        AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON \(name: table) FOR EACH STATEMENT \
        WHEN (coalesce(current_setting('datastore.session', true), '') = '') \
        EXECUTE FUNCTION \(name: Self.trigger)(\(literal: hexadecimal))
        """
    }
  }
}
#endif
