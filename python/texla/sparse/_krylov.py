"""One run each of CG, BiCGStab, MINRES and GMRES: from zero, on NumPy vectors in double.

A run takes A and M (functions of a vector), a right side r with a norm near 1, the norm that the residual must reach, the most
iterations, and report(correction, norm of the residual). It returns a correction, the iterations and the number of a
clReason: why it ended. No run judges its correction; the driver in linalg.py computes the true residual.
"""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

CONVERGED, STAGNATED, MAX_ITERATIONS, DIVERGED, BREAKDOWN, BAD_PRECONDITIONER = 1, 2, 3, 4, 5, 7
_EPS = float(np.finfo(float).eps)
Function = Callable[[np.ndarray], np.ndarray]
Run = tuple[np.ndarray, int, int]


def norm(x: np.ndarray) -> float:
    """||x||, also if its squares are beyond double."""
    scale = float(np.abs(x).max(initial=0.0))
    return scale * float(np.linalg.norm(x / scale)) if 0 < scale < np.inf else scale


def _ended(left: float, target: float) -> int:
    """CONVERGED, DIVERGED, or 0: the run goes on."""
    return CONVERGED if left <= target else 0 if left < 1e10 else DIVERGED


def cg(A: Function, M: Function, r: np.ndarray, target: float, most: int, report: Callable[..., None]) -> Run:
    """Conjugate gradients (Hestenes and Stiefel 1952)."""
    d = p = np.zeros_like(r)
    rho = 1.0
    for k in range(most):
        z = M(r)
        before, rho = rho, float(r @ z)
        p = z + rho / before * p
        q = A(p)
        curvature = float(p @ q)
        if rho == 0 or curvature == 0:
            return d, k, BREAKDOWN
        d, r = d + rho / curvature * p, r - rho / curvature * q
        report(d, norm(r))
        ended = _ended(norm(r), target)
        if ended:
            return d, k + 1, ended
    return d, most, MAX_ITERATIONS


def bicgstab(A: Function, M: Function, r: np.ndarray, target: float, most: int, report: Callable[..., None]) -> Run:
    """BiCGStab (van der Vorst 1992); the half step is enough if its residual is."""
    shadow, d = r, np.zeros_like(r)
    p = v = d
    rho = alpha = omega = 1.0
    for k in range(most):
        before, rho = rho, float(shadow @ r)
        p = r + rho / before * alpha / omega * (p - omega * v)
        z = M(p)
        v = A(z)
        below = float(shadow @ v)
        if k == 0 and abs(below) <= _EPS * norm(r) * norm(v):  # an indefinite matrix may have r^T A M r = 0
            shadow = r + norm(r) / (norm(v) or 1.0) * v
            rho, below = float(shadow @ r), float(shadow @ v)
        if rho == 0 or below == 0:
            return d, k, BREAKDOWN
        alpha = rho / below
        d, r = d + alpha * z, r - alpha * v
        if norm(r) > target:
            z = M(r)
            t = A(z)
            omega = float(t @ r) / (float(t @ t) or 1.0)
            d, r = d + omega * z, r - omega * t
        report(d, norm(r))
        ended = _ended(norm(r), target) or (BREAKDOWN if omega == 0 else 0)
        if ended:
            return d, k + 1, ended
    return d, most, MAX_ITERATIONS


def minres(A: Function, M: Function, r: np.ndarray, target: float, most: int, report: Callable[..., None]) -> Run:
    """Lanczos vectors and Givens rotations (Paige and Saunders 1975)."""
    d = w = w2 = r1 = np.zeros_like(r)
    y = M(r)
    beta = float(np.sqrt(max(float(r @ y), 0.0)))
    if beta == 0:
        return d, 0, BAD_PRECONDITIONER
    scale = norm(r) / beta  # from the norm of M to the Euclidean one
    beta_before, eps, dbar, phibar, cs, sn, size = 1.0, 0.0, 0.0, beta, -1.0, 0.0, 0.0
    for k in range(most):
        v = y / beta
        y = A(v) - beta / beta_before * r1
        alpha = float(v @ y)
        r1, r = r, y - alpha / beta * r
        y = M(r)
        beta_before, beta = beta, float(np.sqrt(max(float(r @ y), 0.0)))
        eps_before, delta = eps, cs * dbar + sn * alpha
        gbar, eps, dbar = sn * dbar - cs * alpha, sn * beta, -cs * beta
        gamma = float(np.hypot(gbar, beta))
        size = max(size, abs(alpha) + beta)
        if not gamma > 10 * _EPS * size:
            return d, k, BREAKDOWN
        cs, sn = gbar / gamma, beta / gamma
        phi, phibar = cs * phibar, sn * phibar
        w, w2 = (v - eps_before * w2 - delta * w) / gamma, w
        d = d + phi * w
        report(d, phibar * scale)
        if phibar * scale <= target or beta == 0:
            return d, k + 1, CONVERGED
    return d, most, MAX_ITERATIONS


def gmres(A: Function, M: Function, r: np.ndarray, target: float, most: int, report: Callable[..., None]) -> Run:
    """One cycle of at most `most` vectors, preconditioned from the left (Saad and Schultz 1986)."""
    V, R, g = np.zeros((most + 1, len(r))), np.zeros((most + 1, most)), np.zeros(most + 1)
    z = M(r)
    g[0] = norm(z)
    if g[0] == 0:
        return np.zeros_like(r), 0, BAD_PRECONDITIONER
    V[0] = z / g[0]
    target *= g[0] / norm(r)
    turns: list[tuple[float, float]] = []
    ended = MAX_ITERATIONS
    for j in range(most):
        w = M(A(V[j]))
        size = norm(w)
        for _ in range(2):  # once leaves too much of V
            h = V[:j + 1] @ w
            w = w - h @ V[:j + 1]
            R[:j + 1, j] += h
        below = norm(w)
        if below > 10 * _EPS * size:
            V[j + 1] = w / below
        else:
            below, ended = 0.0, BREAKDOWN
        for i, (c, s) in enumerate(turns):
            R[i, j], R[i + 1, j] = c * R[i, j] + s * R[i + 1, j], c * R[i + 1, j] - s * R[i, j]
        R[j, j], c, s = _turn(R[j, j], below, size)
        turns.append((c, s))
        g[j], g[j + 1] = c * g[j], -s * g[j]
        left = abs(float(g[j + 1]))
        report(None, left)
        if left <= target:
            ended = CONVERGED
        if ended != MAX_ITERATIONS:
            break
    y = np.linalg.lstsq(R[:j + 1, :j + 1], g[:j + 1], rcond=_EPS)[0]
    return y @ V[:j + 1], j + 1, ended


def _turn(a: float, b: float, size: float) -> tuple[float, float, float]:
    """The rotation of (a, b) to (length, 0); of what is zero beside `size` the one that keeps all of the residual."""
    length = float(np.hypot(a, b))
    return (length, a / length, b / length) if length > 10 * _EPS * size else (0.0, 0.0, 1.0)
