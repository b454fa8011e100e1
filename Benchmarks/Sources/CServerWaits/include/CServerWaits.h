#ifndef CSERVERWAITS_H
#define CSERVERWAITS_H

/// How often this process has waited for an answer to something it had sent: its round trips. What is sent in several pieces is
/// waited for once, and what nobody waits for is not counted.
long server_waits(void);

#endif
