/* The rules for shapes that the table names: each sets call->shape, or refuses with the operands'
 * sizes. */
#ifndef TEXLA_QUEUE_SHAPES_H
#define TEXLA_QUEUE_SHAPES_H

#include "queue/operations.h"

clStatus txShapeBroadcast(txCall *call);
clStatus txShapeSame(txCall *call);
clStatus txShapeTransposed(txCall *call);
clStatus txShapeOne(txCall *call);
clStatus txShapeDot(txCall *call);
clStatus txShapeGiven(txCall *call);
clStatus txShapeReshaped(txCall *call);
clStatus txShapeRepeated(txCall *call);
clStatus txShapeKron(txCall *call);
clStatus txShapeHorzcat(txCall *call);
clStatus txShapeVertcat(txCall *call);
clStatus txShapeFold(txCall *call);
clStatus txShapeDiagonal(txCall *call);
clStatus txShapeDiagonalMatrix(txCall *call);
clStatus txShapeIndex(txCall *call);
clStatus txShapeSelect(txCall *call);
clStatus txShapeThird(txCall *call);
clStatus txShapeLastGiven(txCall *call);
clStatus txShapeMultiply(txCall *call);
clStatus txShapeSquare(txCall *call);
clStatus txShapeSquareOne(txCall *call);
clStatus txShapeSolve(txCall *call);
clStatus txShapeLu(txCall *call);
clStatus txShapeFactor(txCall *call);
clStatus txShapeSquareTwo(txCall *call);
clStatus txShapeQr(txCall *call);
clStatus txShapeLeastSquares(txCall *call);
clStatus txShapeTridiagonal(txCall *call);
clStatus txShapeAlong(txCall *call);
clStatus txShapeSyrk(txCall *call);
clStatus txShapeResampled(txCall *call);
clStatus txShapeSparse(txCall *call);
clStatus txShapeRref(txCall *call);

#endif
