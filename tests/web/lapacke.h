/* What the tests take of LAPACKE, where there is none: lapack.c. */
#ifndef TEXLA_TESTS_WEB_LAPACKE_H
#define TEXLA_TESTS_WEB_LAPACKE_H

typedef int lapack_int;
enum { LAPACK_ROW_MAJOR = 101, LAPACK_COL_MAJOR = 102 };

double LAPACKE_dlange(int order, char norm, int m, int n, const double *a, int lda);
int LAPACKE_dgetrf(int order, int m, int n, double *a, int lda, lapack_int *pivot);
int LAPACKE_dgetrs(int order, char transpose, int n, int count, const double *a, int lda,
                   const lapack_int *pivot, double *b, int ldb);
int LAPACKE_dgetri(int order, int n, double *a, int lda, const lapack_int *pivot);
int LAPACKE_dgesv(int order, int n, int count, double *a, int lda, lapack_int *pivot, double *b,
                  int ldb);

#endif
