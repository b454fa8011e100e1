#if PostgreSQL

/// What the server has counted of writing in a database.
struct TableCounters {
  /// The last numbers.
  var last: String?
  /// Until when they are looked at.
  var until = ContinuousClock.now

  /// The numbers as one text.
  static let sql = """
    (SELECT concat_ws(' ', sum(n_tup_ins), sum(n_tup_upd), sum(n_tup_del), \
    sum(pg_relation_filenode(relid)::int8)) FROM pg_stat_user_tables)
    """
}
#endif
