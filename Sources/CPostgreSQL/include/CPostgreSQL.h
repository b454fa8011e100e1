#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

// libpq is not linked to: it is loaded when the first address of a server is read, so that a program which was built
// with it starts, and opens files, where it is not installed. `libpq.c` has the functions that this program calls.

// Debian has the headers in a folder of their own.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#elif __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#endif
#include <string.h>

// Without the headers the package is built without PostgreSQL, and none of this is used.
#ifdef LIBPQ_FE_H

// Loads libpq; any thread, and any number of times. Returns NULL when it is there, or else what the system says of it.
// Where it is not there, no other function of libpq may be called.
const char *cpostgresql_load(void);

// The codes of error fields are macros of characters, which Swift does not see.
enum cpostgresql_field {
  CPOSTGRESQL_SQLSTATE = PG_DIAG_SQLSTATE,
  CPOSTGRESQL_SEVERITY = PG_DIAG_SEVERITY_NONLOCALIZED,
  CPOSTGRESQL_MESSAGE = PG_DIAG_MESSAGE_PRIMARY,
  CPOSTGRESQL_DETAIL = PG_DIAG_MESSAGE_DETAIL,
  CPOSTGRESQL_POSITION = PG_DIAG_STATEMENT_POSITION,
  CPOSTGRESQL_SCHEMA = PG_DIAG_SCHEMA_NAME,
  CPOSTGRESQL_TABLE = PG_DIAG_TABLE_NAME,
  CPOSTGRESQL_COLUMN = PG_DIAG_COLUMN_NAME,
  CPOSTGRESQL_CONSTRAINT = PG_DIAG_CONSTRAINT_NAME,
  CPOSTGRESQL_CONTEXT = PG_DIAG_CONTEXT,
};

// What a server says by the way is not written onto the standard error output.
//
// Citus warns where a part of a statement did not find the rows of another one, and goes on as if there were none. That is
// counted: the answer is wrong.
static void cpostgresql_note(void *context, const PGresult *notice) {
  const char *code = PQresultErrorField(notice, PG_DIAG_SQLSTATE);
  if (code && strcmp(code, "CIINF") == 0) ++*(int *)context;
}
static inline void cpostgresql_silence(PGconn *connection, int *lost) {
  PQsetNoticeReceiver(connection, cpostgresql_note, lost);
}

// An epoll of a socket, readable for as long as the socket is, or its other end is gone; -1 and errno where the system
// has none left.
int cpostgresql_watch(int socket);

// Rows of the statement that is answered next as they come: several at a time from libpq 17 on, else one by one.
int cpostgresql_stream(PGconn *connection);

static inline int cpostgresql_is_copy(const PGresult *result) {
  ExecStatusType status = PQresultStatus(result);
  return status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH;
}
static inline int cpostgresql_is_success(const PGresult *result) {
  switch (PQresultStatus(result)) {
    case PGRES_EMPTY_QUERY:
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_SINGLE_TUPLE:
#ifdef LIBPQ_HAS_CHUNK_MODE
    case PGRES_TUPLES_CHUNK:
#endif
      return 1;
    default:
      return 0;
  }
}

#endif

#endif
