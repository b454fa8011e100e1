#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "CPostgreSQL.h"

#ifdef LIBPQ_FE_H

// The functions of libpq that are called: what they return, their names, parameters and arguments. libpq 14 has them
// all. A function that is not listed here does not link.
#define FUNCTIONS \
  FUNCTION(int, PQcancel, (PGcancel *a, char *b, int c), (a, b, c)) \
  FUNCTION(void, PQclear, (PGresult *a), (a)) \
  FUNCTION(char *, PQcmdStatus, (PGresult *a), (a)) \
  FUNCTION(char *, PQcmdTuples, (PGresult *a), (a)) \
  FUNCTION(PGconn *, PQconnectdbParams, (const char *const *a, const char *const *b, int c), (a, b, c)) \
  FUNCTION(void, PQconninfoFree, (PQconninfoOption *a), (a)) \
  FUNCTION(PQconninfoOption *, PQconninfoParse, (const char *a, char **b), (a, b)) \
  FUNCTION(int, PQconsumeInput, (PGconn *a), (a)) \
  FUNCTION(char *, PQdb, (const PGconn *a), (a)) \
  FUNCTION(int, PQenterPipelineMode, (PGconn *a), (a)) \
  FUNCTION(char *, PQerrorMessage, (const PGconn *a), (a)) \
  FUNCTION(int, PQexitPipelineMode, (PGconn *a), (a)) \
  FUNCTION(void, PQfinish, (PGconn *a), (a)) \
  FUNCTION(int, PQflush, (PGconn *a), (a)) \
  FUNCTION(char *, PQfname, (const PGresult *a, int b), (a, b)) \
  FUNCTION(void, PQfreeCancel, (PGcancel *a), (a)) \
  FUNCTION(void, PQfreemem, (void *a), (a)) \
  FUNCTION(Oid, PQftype, (const PGresult *a, int b), (a, b)) \
  FUNCTION(PGcancel *, PQgetCancel, (PGconn *a), (a)) \
  FUNCTION(int, PQgetCopyData, (PGconn *a, char **b, int c), (a, b, c)) \
  FUNCTION(PGresult *, PQgetResult, (PGconn *a), (a)) \
  FUNCTION(int, PQgetisnull, (const PGresult *a, int b, int c), (a, b, c)) \
  FUNCTION(int, PQgetlength, (const PGresult *a, int b, int c), (a, b, c)) \
  FUNCTION(char *, PQgetvalue, (const PGresult *a, int b, int c), (a, b, c)) \
  FUNCTION(char *, PQhost, (const PGconn *a), (a)) \
  FUNCTION(int, PQisBusy, (PGconn *a), (a)) \
  FUNCTION(int, PQnfields, (const PGresult *a), (a)) \
  FUNCTION(PGnotify *, PQnotifies, (PGconn *a), (a)) \
  FUNCTION(int, PQntuples, (const PGresult *a), (a)) \
  FUNCTION(const char *, PQparameterStatus, (const PGconn *a, const char *b), (a, b)) \
  FUNCTION(int, PQpipelineSync, (PGconn *a), (a)) \
  FUNCTION(char *, PQport, (const PGconn *a), (a)) \
  FUNCTION(int, PQputCopyData, (PGconn *a, const char *b, int c), (a, b, c)) \
  FUNCTION(int, PQputCopyEnd, (PGconn *a, const char *b), (a, b)) \
  FUNCTION(char *, PQresultErrorField, (const PGresult *a, int b), (a, b)) \
  FUNCTION(char *, PQresultErrorMessage, (const PGresult *a), (a)) \
  FUNCTION(ExecStatusType, PQresultStatus, (const PGresult *a), (a)) \
  FUNCTION(int, PQsendFlushRequest, (PGconn *a), (a)) \
  FUNCTION(int, PQsendPrepare, (PGconn *a, const char *b, const char *c, int d, const Oid *e), (a, b, c, d, e)) \
  FUNCTION(int, PQsendQuery, (PGconn *a, const char *b), (a, b)) \
  FUNCTION(int, PQsendQueryParams, \
      (PGconn *a, const char *b, int c, const Oid *d, const char *const *e, const int *f, const int *g, \
       int h), (a, b, c, d, e, f, g, h)) \
  FUNCTION(int, PQsendQueryPrepared, \
      (PGconn *a, const char *b, int c, const char *const *d, const int *e, const int *f, int g), \
       (a, b, c, d, e, f, g)) \
  FUNCTION(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn *a, PQnoticeReceiver b, void *c), (a, b, c)) \
  FUNCTION(int, PQsetSingleRowMode, (PGconn *a), (a)) \
  FUNCTION(int, PQsetnonblocking, (PGconn *a, int b), (a, b)) \
  FUNCTION(int, PQsocket, (const PGconn *a), (a)) \
  FUNCTION(ConnStatusType, PQstatus, (const PGconn *a), (a)) \
  FUNCTION(PGTransactionStatusType, PQtransactionStatus, (const PGconn *a), (a)) \
  FUNCTION(char *, PQuser, (const PGconn *a), (a))

// Where the library has each, once it is loaded.
#define FUNCTION(type, name, parameters, arguments) static type(*loaded_##name) parameters;
FUNCTIONS
#undef FUNCTION

// Functions of the same names, whose prototypes are those of `libpq-fe.h`, lead there. In a program that is linked to
// libpq besides, its calls come here too, and those that libpq makes itself, before anyone has loaded it here.
#define FUNCTION(type, name, parameters, arguments) \
  type name parameters { \
    if (loaded_##name == NULL) cpostgresql_load(); \
    return loaded_##name arguments; \
  }
FUNCTIONS
#undef FUNCTION

// From libpq 17 on.
static int (*loaded_PQsetChunkedRowsMode)(PGconn *, int);

static const char *fault;

static void load(void) {
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fault = dlerror();
    return;
  }
#define FUNCTION(type, name, parameters, arguments) \
  loaded_##name = (type(*) parameters)dlsym(library, #name); \
  if (loaded_##name == NULL) { \
    fault = dlerror(); \
    return; \
  }
  FUNCTIONS
#undef FUNCTION
#ifdef LIBPQ_HAS_CHUNK_MODE
  loaded_PQsetChunkedRowsMode = (int (*)(PGconn *, int))dlsym(library, "PQsetChunkedRowsMode");
#endif
}

const char *cpostgresql_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return fault;
}

int cpostgresql_watch(int socket) {
  int watch = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN};
  if (watch >= 0 && epoll_ctl(watch, EPOLL_CTL_ADD, socket, &event) != 0) {
    close(watch);
    return -1;
  }
  return watch;
}

int cpostgresql_stream(PGconn *connection) {
  if (loaded_PQsetChunkedRowsMode != NULL) return loaded_PQsetChunkedRowsMode(connection, 256);
  return PQsetSingleRowMode(connection);
}

#endif
