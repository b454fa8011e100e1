#ifndef CPOSTGRESQL_SHIM_H
#define CPOSTGRESQL_SHIM_H

#include <libpq-fe.h>

// The codes of error fields are macros of characters, which Swift does not see.
enum cpostgresql_field {
  CPOSTGRESQL_SQLSTATE = PG_DIAG_SQLSTATE,
  CPOSTGRESQL_MESSAGE = PG_DIAG_MESSAGE_PRIMARY,
  CPOSTGRESQL_DETAIL = PG_DIAG_MESSAGE_DETAIL,
  CPOSTGRESQL_POSITION = PG_DIAG_STATEMENT_POSITION,
  CPOSTGRESQL_SCHEMA = PG_DIAG_SCHEMA_NAME,
  CPOSTGRESQL_TABLE = PG_DIAG_TABLE_NAME,
  CPOSTGRESQL_COLUMN = PG_DIAG_COLUMN_NAME,
  CPOSTGRESQL_CONSTRAINT = PG_DIAG_CONSTRAINT_NAME,
};

// What a server says by the way is not written onto the standard error output.
static void cpostgresql_ignore(void *context, const PGresult *notice) {
  (void)context;
  (void)notice;
}
static inline void cpostgresql_silence(PGconn *connection) {
  PQsetNoticeReceiver(connection, cpostgresql_ignore, NULL);
}

#endif
