#if PostgreSQL

/// A database's description of its tables: five statements, sent as one message.
///
/// Only `pg_catalog` is read: the information schema hides objects that a user may not change, and is slower.
/// Members of extensions and partitions are left out.
enum ServerCatalog {
  ///
  /// - Parameter asksWrappers: whether foreign tables, and views of them, are asked whether they can be
  ///   written. The code of their wrapper answers, and if it is missing, the statement fails for every other
  ///   table as well.
  static func statements(asksWrappers: Bool = true) -> [PostgreSQLStatement] {
    [PostgreSQLStatement(relations, [.text(asksWrappers ? "t" : "f")])]
      + [columns, enums, constraints, indexes].map { PostgreSQLStatement($0) }
  }

  private static let ours = "n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'"

  private static let relations = """
    SELECT c.oid, n.nspname, c.relname, c.relkind, \
    CASE WHEN c.relkind = 'p' THEN (SELECT sum(l.reltuples) FROM pg_partition_tree(c.oid) AS t \
    JOIN pg_class AS l ON l.oid = t.relid WHERE t.isleaf AND l.reltuples >= 0)::float4 \
    ELSE c.reltuples END, \
    CASE WHEN c.relkind IN ('r', 'p') OR $1::text::boolean \
    THEN pg_relation_is_updatable(c.oid, true) ELSE 0 END, has_any_column_privilege(c.oid, 'SELECT') \
    AND has_schema_privilege(n.oid, 'USAGE'), has_any_column_privilege(c.oid, 'UPDATE') \
    OR has_any_column_privilege(c.oid, 'INSERT') OR has_table_privilege(c.oid, 'DELETE'), \
    CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid, true) END, \
    EXISTS (SELECT FROM pg_trigger AS t JOIN pg_partition_tree(c.oid) AS p ON p.relid = t.tgrelid \
    WHERE NOT t.tgisinternal) OR EXISTS (SELECT FROM pg_trigger AS t \
    WHERE t.tgrelid = c.oid AND NOT t.tgisinternal) \
    OR c.relrowsecurity OR c.relkind IN ('r', 'p') AND c.relhasrules, \
    EXISTS (SELECT FROM pg_trigger AS t JOIN pg_proc AS f ON f.oid = t.tgfoid \
    WHERE t.tgrelid = c.oid AND f.proname = 'citus_truncate_trigger') \
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND \(ours) \
    AND NOT EXISTS (SELECT FROM pg_depend AS d \
    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e') \
    ORDER BY n.nspname, c.oid
    """

  /// Domains are resolved to their base types.
  private static let columns = """
    WITH RECURSIVE base (oid, type, depth) AS (\
    SELECT t.oid, t.typbasetype, 1 FROM pg_type AS t WHERE t.typtype = 'd' \
    UNION ALL SELECT b.oid, t.typbasetype, depth + 1 FROM base AS b \
    JOIN pg_type AS t ON t.oid = b.type AND t.typtype = 'd'), \
    domain AS (SELECT DISTINCT ON (oid) oid, type FROM base ORDER BY oid, depth DESC) \
    SELECT a.attrelid, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), \
    format_type(a.atttypid, -1), t.oid, a.attnotnull, a.attidentity, \
    a.attgenerated <> '', pg_get_expr(f.adbin, f.adrelid) \
    FROM pg_attribute AS a \
    JOIN pg_class AS c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p', 'v', 'm', 'f') \
    AND NOT c.relispartition JOIN pg_namespace AS n ON n.oid = c.relnamespace AND \(ours) \
    LEFT JOIN domain AS d ON d.oid = a.atttypid \
    JOIN pg_type AS t ON t.oid = coalesce(d.type, a.atttypid) \
    LEFT JOIN pg_attrdef AS f ON f.adrelid = a.attrelid AND f.adnum = a.attnum \
    WHERE a.attnum > 0 AND NOT a.attisdropped \
    AND (has_column_privilege(c.oid, a.attnum, 'SELECT') \
    OR NOT has_any_column_privilege(c.oid, 'SELECT')) ORDER BY a.attrelid, a.attnum
    """

  private static let enums = """
    SELECT enumtypid, array_agg(enumlabel::text ORDER BY enumsortorder) FROM pg_enum \
    GROUP BY enumtypid
    """

  private static let constraints = """
    SELECT k.conrelid, k.contype, k.conkey, k.confrelid, k.confkey, k.confdeltype, \
    CASE WHEN k.contype = 'c' THEN pg_get_constraintdef(k.oid) END, k.conname, k.confupdtype, \
    k.condeferred \
    FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid \
    JOIN pg_namespace AS n ON n.oid = c.relnamespace \
    WHERE k.contype IN ('p', 'u', 'f', 'c', 'x') AND NOT c.relispartition AND k.conparentid = 0 AND \(ours) \
    ORDER BY k.conrelid, k.conname
    """

  /// Indexes of whole columns of all rows; included columns are left out.
  private static let indexes = """
    SELECT i.indrelid, i.indisunique, i.indisprimary, (i.indkey::int2[])[0:i.indnkeyatts - 1], x.relname \
    FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid \
    JOIN pg_class AS x ON x.oid = i.indexrelid \
    JOIN pg_namespace AS n ON n.oid = c.relnamespace \
    WHERE i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL AND NOT c.relispartition \
    AND \(ours) ORDER BY i.indrelid, i.indexrelid
    """

  /// The indexes of one table that no constraint has created: name, columns (NULL for expressions), and
  /// whether it is unique, and partial.
  static let indexesOfTable = """
    SELECT x.relname, ARRAY(SELECT a.attname::text \
    FROM generate_series(0, i.indnkeyatts - 1) AS place \
    LEFT JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[place] \
    AND a.attnum > 0 ORDER BY place), i.indisunique, i.indpred IS NOT NULL \
    FROM pg_index AS i JOIN pg_class AS x ON x.oid = i.indexrelid \
    WHERE i.indrelid = $1::text::regclass \
    AND NOT EXISTS (SELECT FROM pg_constraint AS k WHERE k.conindid = i.indexrelid) \
    ORDER BY x.relname
    """

  /// What no file declares, or not in this way: the table, and the rest of a sentence about it.
  static let undeclared = """
    SELECT t.tgrelid, 'trigger', t.tgname, 'is left out' FROM pg_trigger AS t WHERE NOT t.tgisinternal \
    UNION ALL SELECT i.indrelid, 'index', x.relname, CASE WHEN i.indisexclusion \
    THEN 'is left out: it excludes rows that are alike in its own way' \
    WHEN i.indpred IS NOT NULL OR i.indexprs IS NOT NULL \
    THEN 'is left out: it is one of expressions, or of some rows only' \
    ELSE 'takes any number of rows without a value; it took one' END \
    FROM pg_index AS i JOIN pg_class AS x ON x.oid = i.indexrelid \
    WHERE i.indpred IS NOT NULL OR i.indexprs IS NOT NULL OR i.indisexclusion \
    OR to_jsonb(i) ->> 'indnullsnotdistinct' = 'true' \
    UNION ALL SELECT k.conrelid, 'constraint', k.conname, 'is checked at once; it could be deferred' \
    FROM pg_constraint AS k WHERE k.condeferrable AND k.contype IN ('p', 'u', 'f') \
    AND NOT (k.contype = 'f' AND k.condeferred) AND k.conparentid = 0 ORDER BY 2 DESC, 3
    """

  /// Tables and views, quoted and with their schemas if needed, and their columns.
  static let names = """
    SELECT c.oid::regclass::text, array_agg(a.attname::text ORDER BY a.attnum) \
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND \(ours) \
    GROUP BY c.oid ORDER BY 1
    """

  /// Estimated numbers of rows of tables, by their place in a list of names; negative if unknown. For a
  /// partitioned table, the sum over those of its partitions whose number is known.
  static let estimates = """
    SELECT names.place, CASE c.relkind WHEN 'v' THEN -1 WHEN 'f' THEN -1 \
    WHEN 'p' THEN (SELECT coalesce(sum(l.reltuples) FILTER (WHERE l.reltuples >= 0), -1) \
    FROM pg_partition_tree(c.oid) AS t JOIN pg_class AS l ON l.oid = t.relid WHERE t.isleaf) \
    ELSE c.reltuples END::float4 \
    FROM unnest($1) WITH ORDINALITY AS names (name, place) \
    JOIN pg_class AS c ON c.oid = to_regclass(names.name)
    """

  /// The triggers that users have created: the table, the name and the declaration.
  static let triggers = """
    SELECT t.tgrelid, t.tgname, pg_get_triggerdef(t.oid, true) FROM pg_trigger AS t \
    JOIN pg_class AS c ON c.oid = t.tgrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace \
    WHERE NOT t.tgisinternal AND \(ours) ORDER BY t.tgrelid, t.tgname
    """
}
#endif
