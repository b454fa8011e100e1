#ifndef CSQLITE_SHIMS_H
#define CSQLITE_SHIMS_H

/// Turns on SQLITE_DBCONFIG_DEFENSIVE for a connection, which Swift cannot: `sqlite3_db_config` takes
/// variable arguments. Returns SQLite's result code.
int csqliteshims_set_defensive(void *connection);

/// Has a connection leave the log of a file in WAL mode as it is when it is closed (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE).
/// Returns SQLite's result code.
int csqliteshims_skip_checkpoint_on_close(void *connection);

/// Sets whether a text in double quotes that is no name is a text (SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_DQS_DML).
/// Returns SQLite's result code.
int csqliteshims_allow_double_quoted_text(void *connection, int is_allowed);

#endif
