#ifndef CSQLITE_SHIMS_H
#define CSQLITE_SHIMS_H

/// Turns on SQLITE_DBCONFIG_DEFENSIVE for a connection, which Swift cannot: `sqlite3_db_config` takes
/// variable arguments. Returns SQLite's result code.
int csqliteshims_set_defensive(void *connection);

#endif
