"""Chapter 9, evidence: probes as torch's least squares and as systems solved in mpmath, argmax in torch."""
import mpmath as mp
import numpy as np
import torch

from golden import FLOAT64
from oracles import floats, mp_table

WEIGHTS = {**FLOAT64, "rtol": 1e-8, "atol": 1e-10}       # of systems with two digits or three to lose


def position_probe(golden):
    def mp_linear(features, targets, ridge):
        """All d + 1 equations of the slopes as they stand, the bias's without ridge, to 50 digits."""
        wide = mp.matrix(np.concatenate([features, np.ones((len(features), 1))], axis=1).tolist())
        cost = mp.diag([mp.mpf(ridge)] * features.shape[1] + [0])
        return floats(list(mp.lu_solve(wide.T * wide + cost, wide.T * mp.matrix(targets.tolist()))))

    def torch_linear(features, targets, ridge):
        """Plain least squares, with rows below that hold the root of the ridge; the ones of the bias end above."""
        n, d = features.shape
        above = torch.cat([torch.as_tensor(features), torch.ones(n, 1)], dim=1)
        below = torch.cat([ridge ** 0.5 * torch.eye(d), torch.zeros(d, 1)], dim=1)
        wanted = torch.cat([torch.as_tensor(targets), torch.zeros(d)])
        return torch.linalg.lstsq(torch.cat([above, below]), wanted[:, None], driver="gelsd").solution[:, 0]

    for n, d, mean, ridge in [
        (12, 3, 0.0, 1e-6), (20, 5, 4.0, 0.01), (9, 1, -3.0, 2.0), (5, 7, 1.0, 30.0), (1, 3, 2.0, 0.5),
        (15, 4, 20.0, 1e5), (6, 6, 0.0, 1.0),
    ]:
        features, targets = golden.numbers(n, d) + mean, golden.numbers(n, size=100.0) + 50.0
        given = {"features": features, "targets": targets, **({} if ridge == 1e-6 else {"ridge": ridge})}
        case = f"{n}_by_{d}_ridge_{ridge:g}"
        golden.add(f"linear_{case}", "fit_linear_probe", given, mp_linear(features, targets, ridge),
                   "mpmath, 50 digits: the system with a column of ones", WEIGHTS)
        golden.add(f"linear_{case}_torch", "fit_linear_probe", given, torch_linear(features, targets, ridge),
                   "torch.linalg.lstsq in float64 on rows and roots of the ridge", WEIGHTS)

    table = floats(mp_table(range(40), 8, 20.0))
    golden.add("linear_sinusoids", "fit_linear_probe",
               {"features": table, "targets": np.arange(40.0), "ridge": 1e-3},
               mp_linear(table, np.arange(40.0), 1e-3), "mpmath, 50 digits: the system with a column of ones", WEIGHTS)

    for n, d in [(12, 3), (1, 1), (5, 9)]:
        features, weights = golden.numbers(n, d), golden.numbers(d + 1)
        layer = torch.nn.Linear(d, 1)
        layer.weight.copy_(torch.as_tensor(weights[None, :-1]))
        layer.bias.copy_(torch.as_tensor(weights[-1:]))
        golden.add(f"read_{n}_by_{d}", "probe_positions", {"features": features, "weights": weights},
                   layer(torch.as_tensor(features))[:, 0], "torch.nn.Linear in float64")

    for n, d, ridge in [(12, 3, 1e-3), (7, 7, 0.5), (20, 4, 40.0), (4, 6, 2.0), (1, 1, 1e-3)]:
        encoding, scores = golden.numbers(n, d) + np.eye(n, d) * 4.0, golden.numbers(n, n, size=9.0)
        p, y = mp.matrix(encoding.tolist()), mp.matrix(scores.tolist())
        a = (p.T * p + mp.mpf(ridge) * mp.eye(d)) ** -1 * p.T
        given = {"encoding": encoding, "target_scores": scores, **({} if ridge == 1e-3 else {"ridge": ridge})}
        golden.add(f"bilinear_{n}_by_{d}_ridge_{ridge:g}", "fit_bilinear_probe", given,
                   floats((a * y * a.T).tolist()), "the formula in mpmath, 50 digits", WEIGHTS)

    for n in (2, 3, 9, 24):
        scores = np.array([golden.rng.permutation(n) for _ in range(n)]) - n / 2.0 + n * np.eye(n, k=-1)
        scores[n // 2 :, 0] += n
        scores[-1, -2] += 3.0 * n
        hidden = torch.ones(n, n, dtype=torch.bool).triu()
        best = torch.as_tensor(scores).masked_fill(hidden, -torch.inf).argmax(dim=-1)
        golden.add(f"accuracy_{n}", "previous_token_accuracy", {"scores": scores},
                   (best[1:] == torch.arange(n - 1)).double().mean(), "torch masked_fill and argmax")
