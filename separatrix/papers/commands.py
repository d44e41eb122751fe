"""How a reader can see an erratum: the command that shows it, by statement and by the number of the erratum there."""

from __future__ import annotations

DYCK_2_2 = r"separatrix language '(\((\(\)|\[\])*\)|\[(\(\)|\[\])*\])*'"

COMMANDS: dict[str, dict[int, str]] = {
    "bhattamishra2024 Theorem 1": {
        0: "separatrix verify index-lookup --length 100000 --set address=code",
        1: "separatrix verify index-lookup --length 512 --arithmetic fixed:5,1",
    },
    "bhattamishra2024 Theorem 2": {0: "separatrix profile equality --length 12"},
    "bhattamishra2024 Theorem 3": {0: "separatrix profile index-lookup --length 100"},
    "bhattamishra2024 Theorem 4": {
        0: "separatrix protocol index-lookup --length 6 --arithmetic fixed:20,12",
        1: "separatrix protocol index-lookup --length 6 --arithmetic fixed:20,12",
    },
    "bhattamishra2024 Theorem 5": {2: "separatrix bounds dyck --length 400 --precision 32"},
    "bhattamishra2024 Theorem 6": {
        4: "separatrix build equality --length 1000 --set address=quadratic",
        7: "separatrix build equality --length 64 --arithmetic fixed:20,5",
    },
    "bhattamishra2024 Theorem 8": {0: "separatrix profile associative-recall --length 4 --set symbols=4"},
    "bhattamishra2024 Theorem 11": {0: "separatrix bounds equality --length 64"},
    "bhattamishra2024 Proposition 9": {1: "separatrix profile associative-recall --length 4 --set symbols=4"},
    "bhattamishra2024 Lemma 1": {0: "separatrix bounds dyck --length 400"},
    "bhattamishra2024 Lemma 2": {
        0: "separatrix vectors --length 1000000 --coherence 0.25",
        2: "separatrix vectors --length 1000000 --coherence 0.25",
        4: "separatrix verify index-lookup --length 1000000",
    },
    "bhattamishra2024 Remark 4": {1: "separatrix profile dyck --length 8"},
    "bhattamishra2024 Remark 12": {0: DYCK_2_2, 1: DYCK_2_2},
    "bhattamishra2024 Lemma 4": {0: DYCK_2_2},
    "bhattamishra2024 Task 9": {0: "separatrix sample index-lookup --length 20 --set distribution=training"},
    "bhattamishra2024 Task 10": {2: "separatrix sample dyck --length 8 --set positives=uniform"},
    "bhattamishra2024 Task 11": {2: "separatrix audit dyck --length 20"},
    "bhattamishra2024 Task 12": {1: "separatrix audit eq-random --length 20 --set distribution=training"},
    "hahn2020 Construction 2": {0: "separatrix audit an-bn --length 14"},
}
