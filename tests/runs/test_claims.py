"""Claims: a trial has one holder, ends once, with all rows or none; the claims of the dead and the silent are free."""

from __future__ import annotations

import fcntl
import json
import time
from pathlib import Path

import pytest

from separatrix.checker.seal import sealed
from separatrix.errors import BadInput
from separatrix.runs import claims
from separatrix.runs.launcher_lock import alive, folder_of, forget_the_dead, is_alive, new_name
from separatrix.runs.outcome import Outcome, read_outcome
from separatrix.runs.store import open_store
from separatrix.runs.stored_certificates import add_certificates, certificates
from separatrix.runs.stored_trials import cancel, counts, find_key, listed, remove, rows_of, seconds_of, shown
from tests.runs.storing import claimed, number_trials, outcome_of, require_done_once


def test_two_launchers_share_the_trials(tmp_path: Path) -> None:
    trials = number_trials(5)
    with open_store(tmp_path / "store") as one, open_store(tmp_path / "store") as other:
        mine = claimed(one, trials, "one", 2)
        theirs = claimed(other, trials, "other", 9)
        assert [claim.trial for claim in (*mine, *theirs)] == trials
        assert claims.claim(one, "one", "local", 9) == []
        assert claims.send_heartbeat(one, "one") == {claim.key for claim in mine}
        for store, own_claims in ((one, mine), (other, theirs)):
            assert all(claims.finish(store, claim, outcome_of(claim.trial)) for claim in own_claims)
    require_done_once(tmp_path / "store", trials)


def test_trials_are_claimed_in_the_order_in_which_they_are_wanted(tmp_path: Path) -> None:
    trials = number_trials(30)
    wanted = [trials[place] for place in (7, 3, 29, 0, 11)]
    with open_store(tmp_path / "store") as store:
        claims.add(store, trials)
        assert [claim.trial for claim in claimed(store, wanted, "one", 9)] == wanted


def test_trials_that_are_known_keep_what_they_have(tmp_path: Path) -> None:
    trials = number_trials(2)
    with open_store(tmp_path / "store") as store:
        (claim,) = claimed(store, trials, "one", 1)
        claims.finish(store, claim, outcome_of(claim.trial))
        claims.add(store, number_trials(3))
        assert counts(store) == {"waiting": 2, "running": 0, "done": 1, "failed": 0, "cancelled": 0}


def test_a_trial_ends_once_and_only_by_its_holder(tmp_path: Path) -> None:
    trials = number_trials(1)
    with open_store(tmp_path / "store") as store, open_store(tmp_path / "store") as other:
        (first,) = claimed(store, trials, "first", 1)
        assert claims.release_gone(store) == 1  # it has no lock: nobody of that name lives
        (second,) = claimed(other, trials, "second", 1)
        assert (first.number, second.number) == (1, 2)
        assert not claims.finish(store, first, outcome_of(trials[0]))
        assert not claims.fail(store, first, Outcome(first.key, "failed", reason="late"), again=False)
        assert list(rows_of(store, first.key)) == []
        assert claims.finish(other, second, outcome_of(trials[0]))
        assert not claims.finish(other, second, outcome_of(trials[0]))
        ended = [(attempt["outcome"], attempt["reason"]) for attempt in shown(store, first.key)["attempts"]]
        assert ended == [("lost", "the launcher first is gone"), ("done", None)]
    assert require_done_once(tmp_path / "store", trials) == {first.key: 2}


def test_what_a_trial_took_is_the_sum_over_its_attempts(tmp_path: Path) -> None:
    trials = number_trials(2)
    with open_store(tmp_path / "store") as store:
        (killed, _) = claimed(store, trials, "first", 2)
        with store.writing() as database:
            database.execute("UPDATE attempts SET heartbeat = began + 40")
        claims.release_gone(store)
        (again, other) = claimed(store, trials, "second", 2)
        assert claims.finish(store, again, outcome_of(trials[0]))  # which says 1.5 seconds
        assert seconds_of(store, killed.key) == pytest.approx(41.5)
        assert seconds_of(store, other.key) >= 40  # still running


def test_rows_that_do_not_fit_leave_no_trace(tmp_path: Path) -> None:
    trials = number_trials(1)
    with open_store(tmp_path / "store") as store:
        (claim,) = claimed(store, trials, "one", 1)
        bad = Outcome(claim.key, "done", rows=({"a": 1}, {"b": 2}), certificates=({"digest": None},))
        with pytest.raises(ValueError, match="Out of range float values"):
            claims.finish(store, claim, Outcome(claim.key, "done", rows=({"a": 1}, {"b": float("nan")})))
        store.database.execute("INSERT INTO rows VALUES (?, 1, '{}', '')", (claim.key,))  # a row from nowhere
        with pytest.raises(BadInput, match="UNIQUE constraint failed"):
            claims.finish(store, claim, bad)
        assert store.database.execute("SELECT number FROM rows").fetchall() == [(1,)]
        assert counts(store)["running"] == 1


def test_a_full_disk_leaves_the_claim_as_it_was(tmp_path: Path) -> None:
    (trial,) = number_trials(1, rows=2000)
    with open_store(tmp_path / "store") as store:
        (claim,) = claimed(store, [trial], "one", 1)
        (pages,) = store.database.execute("PRAGMA page_count").fetchone()
        store.database.execute(f"PRAGMA max_page_count={pages + 3}")
        with pytest.raises(BadInput, match=r"^cannot write '.*store': database or disk is full; nothing recorded so far is lost"):
            claims.finish(store, claim, outcome_of(trial))
        assert (counts(store)["running"], list(rows_of(store, trial.key))) == (1, [])
        store.database.execute("PRAGMA max_page_count=100000")
        assert claims.finish(store, claim, outcome_of(trial))
    require_done_once(tmp_path / "store", [trial])


def test_the_living_keep_their_claims_and_the_silent_lose_them(tmp_path: Path) -> None:
    trials = number_trials(3)
    with open_store(tmp_path / "store") as store:
        with alive(store.path, "quick"):
            claimed(store, trials, "quick", 1)
            assert claims.release_gone(store) == 0
            store.database.execute("UPDATE attempts SET heartbeat = ?", (time.time() - 100,))
            assert claims.release_gone(store, lease=200) == 0
            claims.send_heartbeat(store, "quick")
            assert claims.release_gone(store, lease=50) == 0
            store.database.execute("UPDATE attempts SET heartbeat = ?", (time.time() - 100,))
            assert claims.release_gone(store, lease=50) == 1
            (attempt,) = shown(store, trials[0].key)["attempts"]
            assert attempt["reason"] == "the launcher quick was silent for more than 50 s"
        assert not folder_of(store.path).exists()


def test_a_lock_tells_the_living_from_the_dead(tmp_path: Path) -> None:
    store, one, other = tmp_path / "store", new_name(), new_name()
    assert one != other
    with alive(store, one), alive(store, other):
        assert is_alive(store, one)
        assert is_alive(store, other)
    assert not is_alive(store, one)
    folder_of(store).mkdir()
    (folder_of(store) / one).touch()  # left by a process that was killed
    assert not is_alive(store, one)
    with alive(store, other):
        forget_the_dead(store)
        assert [path.name for path in folder_of(store).iterdir()] == [other]
        assert is_alive(store, other)


def test_a_lock_whose_file_was_taken_away_in_between_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, flock, left = tmp_path / "store", fcntl.flock, [2]

    def late(handle: int, how: int) -> None:
        if left[0] and how == fcntl.LOCK_EX:
            left[0] -= 1
            forget_the_dead(store)  # another launcher sees a file without a lock
        flock(handle, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with alive(store, "me"):
        assert is_alive(store, "me")
        assert left == [0]


def test_a_trial_of_a_launcher_that_is_gone_is_listed_as_such(tmp_path: Path) -> None:
    with open_store(tmp_path / "store") as store:
        with alive(store.path, "me"):
            claimed(store, number_trials(2), "me", 1)
            assert [trial["reason"] for trial in listed(store)] == [None, None]
        assert [trial["reason"] for trial in listed(store)] == ["the launcher me is gone: the next launch takes over", None]


def test_failures_are_tried_again_and_then_given_up(tmp_path: Path) -> None:
    trials = number_trials(1)
    failure = Outcome(trials[0].key, "failed", reason="ZeroDivisionError: by nothing", log="a\nb")
    with open_store(tmp_path / "store") as store:
        (first,) = claimed(store, trials, "one", 1)
        assert claims.fail(store, first, failure, again=True)
        (second,) = claims.claim(store, "one", "local", 1)
        assert claims.fail(store, second, failure, again=False)
        assert counts(store)["failed"] == 1
        (line,) = listed(store, "failed")
        assert (line["reason"], line["attempts"]) == ("ZeroDivisionError: by nothing", 2)
        assert claims.claim(store, "one", "local", 1) == []
    with open_store(tmp_path / "store") as store:  # a relaunch
        (third,) = claimed(store, trials, "two", 1)
        assert third.number == 3


def test_cancelled_trials_are_left_alone_and_removed_ones_come_again(tmp_path: Path) -> None:
    trials = number_trials(3)
    with open_store(tmp_path / "store") as store:
        (own_claim,) = claimed(store, trials, "one", 1)
        cancel(store, [own_claim.key, trials[1].key])
        assert claims.send_heartbeat(store, "one") == set()
        assert not claims.finish(store, own_claim, outcome_of(own_claim.trial))
        (last,) = claims.claim(store, "one", "local", 9)
        assert last.trial == trials[2]
        with pytest.raises(BadInput, match="is running; cancel it first"):
            remove(store, [trials[0].key, last.key])
        assert len(listed(store)) == 3
        claims.finish(store, last, outcome_of(last.trial))
        with pytest.raises(BadInput, match="is done; `separatrix runs remove` deletes it"):
            cancel(store, [last.key])
        remove(store, [last.key, own_claim.key])
        assert [line["state"] for line in listed(store)] == ["cancelled"]
        assert store.database.execute("SELECT count(*) FROM rows").fetchone() == (0,)


def test_a_key_is_found_by_its_first_digits(tmp_path: Path) -> None:
    trials = number_trials(20)
    with open_store(tmp_path / "store") as store:
        claims.add(store, trials)
        assert find_key(store, trials[3].key) == trials[3].key
        assert find_key(store, trials[3].key[:12]) == trials[3].key
        twice = next(digit for digit in "0123456789abcdef" if sum(trial.key.startswith(digit) for trial in trials) > 1)
        with pytest.raises(BadInput, match="more than one trial of store has a key that begins with"):
            find_key(store, twice)
        with pytest.raises(BadInput, match="no trial of store has a key that begins with 'ffff'"):
            find_key(store, "ffff")
        for odd in ("", "%", "xyz"):
            with pytest.raises(BadInput, match="expected the first digits of a trial's key"):
                find_key(store, odd)
        with pytest.raises(BadInput, match="unknown state 'dead': expected one of waiting"):
            listed(store, "dead")


def test_certificates_are_stored_once_and_only_with_their_seal(tmp_path: Path) -> None:
    one, other = sealed({"kind": "construction", "N": 3}), sealed({"kind": "construction", "N": 4})
    trials = number_trials(1)
    with open_store(tmp_path / "store") as store:
        assert add_certificates(store, [one, other]) == 2
        assert add_certificates(store, [other]) == 0
        with pytest.raises(BadInput, match="a certificate's digest is not the hash of its content"):
            add_certificates(store, [{**one, "N": 5}])
        (claim,) = claimed(store, trials, "one", 1)
        third = sealed({"kind": "state-profile"})
        claims.finish(store, claim, Outcome(claim.key, "done", certificates=(one, third)))
        assert certificates(store) == [one, other, third]


def test_an_outcome_survives_json_and_nonsense_is_not_one() -> None:
    outcome = Outcome("ab", "done", rows=({"a": 0.1},), certificates=({"digest": "x"},), seconds=0.25, machine="m")
    assert read_outcome(outcome.to_json()) == outcome
    document = json.loads(outcome.to_json())
    for nonsense in ("", "[]", "3", "{}", json.dumps({**document, "end": "well"}), json.dumps({**document, "rows": [1]}), "\xff{"):
        with pytest.raises(ValueError):
            read_outcome(nonsense)
