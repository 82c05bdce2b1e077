"""The history machine: random histories of two people at one board, and a check that none lost.

Hypothesis makes up a history: a list of events, each of which is a change that one of the two makes
or a fault that befalls them (a lost reply, a cut connection, a killed program, a deleted cache, a
clock that is set back). At the end all faults stop, everything is delivered, and the machine checks
that each change was carried out once, is waiting with a reason, or was given up by its person; and
that what both see is what the service holds. A history that fails is printed as calls of
`happens`, which `tests/store/test_machine.py` can keep as they are.

How the parts fit, from the outside in:

- `__main__` and `playing` play as many histories as are asked for, on two processes:
  `python -m tests.store.machine 2000`.
- `rules` is what Hypothesis knows: the events, how often each comes, and what it does to the world.
- `world` is one history: the service, the two players and an event loop on which time passes only
  when all wait for it, so that a history comes out the same whenever it is played. `calm_down` is
  where it ends and is checked.
- `player` is one person's program: a real `LocalStore` with real files. `disk` runs its disk jobs
  without a thread, and can kill the program between any two of them.
- `choices` turns the name of a change and two numbers into operations on what the player sees.
- `wire` stands between a store and the service. `Wire` loses requests and replies, delays and
  refuses them; behind it `Recorder` notes every write that the service carried out.
- `ledger` compares what was asked for, as found in the outboxes, with what was carried out.
  `expectations` compares the values that a person saw last with those at the service. `agreement`
  compares everything that a person sees with everything that is there.
- `judge` compares, after each step, the board that a person sees with what a naive model makes of
  what their program last read and of what waits, and what undo left with what was there before.
  `plain` is such a board in dicts and lists, `naive` what each change does to it.

- `order` has rules of its own: one person moves things about at any latency, and what was shown
  last is what must arrive. `python -m tests.store.machine --kind order --events 60 10000`; with
  `order-troubled` things fail at first.

Which service a history is played at (`--kind`):

- `plain`, `keyed`, `quirky` and `order` use the fake in `fake_remote`, made as strict as a real
  service by `strict`; `keyed` keeps its replies to writes and waits for changes, `quirky`
  misbehaves as `quirks` says.
  The first three are played if no kind is given.
- `real` and `real-quirky`, in `real`, use the embedded service in memory, reached through the real
  client. A history costs three to four times as much there, so that 2,000 do not fit in three
  minutes on two cores; a few are played with the tests.
"""
