/* What the tests take of CBLAS, where there is none: lapack.c. */
#ifndef TEXLA_TESTS_WEB_CBLAS_H
#define TEXLA_TESTS_WEB_CBLAS_H

typedef enum CBLAS_ORDER { CblasRowMajor = 101, CblasColMajor = 102 } CBLAS_ORDER;
typedef enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112 } CBLAS_TRANSPOSE;

void cblas_dgemm(CBLAS_ORDER order, CBLAS_TRANSPOSE at, CBLAS_TRANSPOSE bt, int m, int n, int k,
                 double alpha, const double *a, int lda, const double *b, int ldb, double beta,
                 double *c, int ldc);

#endif
