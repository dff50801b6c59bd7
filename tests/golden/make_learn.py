"""Writes lazy/learn/testdata/learn.json: what scikit-learn's models give.

Run from the root of the repository with a Python that has scikit-learn 1.9:

    python tests/golden/make_learn.py [SEED]

Another seed makes other data, for which the test must pass too.
"""

import json
import pathlib
import sys

import numpy as np
import sklearn
from sklearn.cluster import DBSCAN, KMeans
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

OUT = pathlib.Path(__file__).resolve().parents[2] / "lazy" / "learn" / "testdata" / "learn.json"
rng = np.random.default_rng(int(sys.argv[1]) if len(sys.argv) > 1 else 20261123)


def plain(v):
    return v.tolist() if hasattr(v, "tolist") else v


def case(model, model_args, samples, asked, **attributes):
    return {"model": model, "args": plain(model_args), "x": plain(samples), "asked": plain(asked), "want": {k: plain(v) for k, v in attributes.items()}}


def main():
    cases = []
    tall = rng.normal(0, 1, (60, 5)) * [1, 3, 0.2, 2, 1] + rng.normal(0, 2, 5)
    wide = rng.normal(1, 1, (6, 9))
    few = rng.normal(0, 1, (8, 5))
    constant = tall.copy()[:10]
    constant[:, 2] = 0.1
    constant[:, 4] = 1e6 + rng.normal(0, 1e-3, 10)

    for x in (tall, constant, np.ones((1, 3))):
        m = StandardScaler()
        z = m.fit_transform(x)
        asked = few[:, : x.shape[1]]
        cases.append(case("scaler", [], x, asked, mean=m.mean_, variance=m.var_, scale=m.scale_, fit_transform=z,
                          transform=m.transform(asked), inverse=m.inverse_transform(asked)))

    for x, k in ((tall, 3), (tall, 5), (wide, 2), (few, 4)):
        m = PCA(k)
        z = m.fit_transform(x)
        asked = rng.normal(0, 1, (4, x.shape[1]))
        cases.append(case("pca", [k], x, asked, mean=m.mean_, components=m.components_, variance=m.explained_variance_, ratio=m.explained_variance_ratio_,
                          singular=m.singular_values_, fit_transform=z, transform=m.transform(asked), inverse=m.inverse_transform(m.transform(asked))))

    for x, k in ((tall, 2), (wide, 3), (few, 1)):
        m = TruncatedSVD(k, algorithm="arpack", random_state=0)
        z = m.fit_transform(x)
        asked = rng.normal(0, 1, (4, x.shape[1]))
        cases.append(case("tsvd", [k], x, asked, components=m.components_, singular=m.singular_values_, variance=m.explained_variance_,
                          ratio=m.explained_variance_ratio_, fit_transform=z, transform=m.transform(asked)))

    grid = np.array([[i, j] for i in range(6) for j in range(6)], float)
    for x, classes, k in ((tall, rng.integers(0, 4, 60) * 3 - 2, 5), (grid, rng.integers(0, 3, 36), 1), (grid, rng.integers(0, 3, 36), 36), (tall, np.array(["oak", "ash", "elm"])[rng.integers(0, 3, 60)], 7)):
        m = KNeighborsClassifier(k, algorithm="brute").fit(x, classes)
        asked = rng.normal(0, 2, (40, x.shape[1])) + x.mean(0)
        c = case("neighbors", [k], x, asked, predict=m.predict(asked))
        c["y"] = plain(classes)
        cases.append(c)

    centres = rng.uniform(-4, 4, (4, 3))
    blobs = rng.normal(0, 1, (300, 3)) + centres[np.arange(300) % 4]
    away = blobs[:4].copy()
    away[1:3] = [[50, 50, 50], [60, 60, 60]]
    for x, init, steps in ((blobs, blobs[:4], 300), (blobs, blobs[:6], 2), (blobs, away, 300), (tall, tall[[3, 9]], 300)):
        m = KMeans(len(init), init=init, n_init=1, max_iter=steps).fit(x)
        asked = rng.normal(0, 3, (10, x.shape[1]))
        c = case("kmeans", [len(init), steps], x, asked, centres=m.cluster_centers_, labels=m.labels_, inertia=m.inertia_, predict=m.predict(asked))
        c["init"] = plain(init)
        cases.append(c)

    angle = rng.uniform(0, np.pi, 80)
    moons = np.concatenate([np.stack([np.cos(angle), np.sin(angle)], 1), np.stack([1 - np.cos(angle), 0.4 - np.sin(angle)], 1)]) + rng.normal(0, 0.05, (160, 2))
    far = grid + 1e7  # where the squares of coordinates leave nothing of distances
    for x, eps, enough in ((moons, 0.2, 5), (moons, 0.1, 4), (moons, 3.0, 2), (grid, 1.0, 5), (grid, 1.0, 4), (far, 1.0, 5), (blobs, 0.9, 8)):
        m = DBSCAN(eps=eps, min_samples=enough, algorithm="kd_tree").fit(x)
        core = np.zeros(len(x), bool)
        core[m.core_sample_indices_] = True
        cases.append(case("dbscan", [eps, enough], x, [], labels=m.labels_, core=core))

    line = tall @ [1.5, -2, 0, 0.25, 3] + 7 + rng.normal(0, 0.1, 60)
    twice = np.hstack([tall, tall[:, :2]])  # many coefficients are as good
    for x, y, intercept in ((tall, line, 1), (tall, line, 0), (twice, line, 1), (wide, rng.normal(0, 1, 6), 1), (tall[:1], line[:1], 1)):
        m = LinearRegression(fit_intercept=bool(intercept)).fit(x, y)
        asked = rng.normal(0, 2, (7, x.shape[1]))
        score = m.score(x, y) if len(y) > 1 else float("nan")
        c = case("linear", [intercept], x, asked, coef=m.coef_, intercept=m.intercept_, predict=m.predict(asked), **({} if len(y) == 1 else {"score": score}))
        c["y"] = plain(y)
        cases.append(c)

    for x, classes, c_ in ((tall, np.where(line > 7, 5, -1), 1.0), (tall, np.where(line > 7, "high", "low"), 0.1), (blobs, np.arange(300) % 4, 1.0),
                           (blobs, np.array(["oak", "ash", "elm"])[np.arange(300) % 4 % 3], 10.0), (tall, rng.integers(0, 3, 60), 1e-3)):
        # lbfgs stops five digits before the minimum with some data, whatever the tolerance
        m = LogisticRegression(C=c_, tol=1e-12, max_iter=100_000, solver="newton-cg").fit(x, classes)
        asked = rng.normal(0, 2, (20, x.shape[1])) + x.mean(0)
        c = case("logistic", [c_], x, asked, coef=m.coef_, intercept=m.intercept_, classes=m.classes_, predict=m.predict(asked), probabilities=m.predict_proba(asked), score=m.score(x, classes))
        c["y"] = plain(classes)
        cases.append(c)

    text = ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(f'{{"scikit-learn":"{sklearn.__version__}","cases":[\n{text}\n]}}\n')
    print(f"{len(cases)} cases, {OUT.stat().st_size} bytes")


main()
