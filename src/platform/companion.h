/* TX_COMPANION marks what the companion libraries texla_sim and texla_mpi call of the inside of
 * libtexla, so that they also link with the shared library, which hides everything else. It is no
 * interface for anybody else: it changes from version to version, and the companions ask for
 * exactly their own version. */
#ifndef TEXLA_PLATFORM_COMPANION_H
#define TEXLA_PLATFORM_COMPANION_H

#if defined(_WIN32)
#define TX_COMPANION
#else
#define TX_COMPANION __attribute__((visibility("default")))
#endif

#endif
