"""The board of the first run: its cards teach the keys by being moved.

The rule it keeps: it is an ordinary board made through the service like any other, once; nothing
in the program knows it afterwards.
"""

from tui.store.remote import Remote

TITLE = "Start here"

STAGES = ("Try these", "Moving", "Done")

CARDS = (
    ("j comes down to me, k goes back up", "low", ""),
    ("L moves me one column to the right", "high", ""),
    (
        "Space picks me up, l carries me, Space drops me",
        "high",
        "<p>While a card is in your hand it follows the same keys as the cursor: "
        "<code>h j k l</code>, the arrows, <code>gg</code>, <code>G</code>, and the numbers of "
        "the columns. <b>Enter</b> or <b>Space</b> drops it, <b>Esc</b> puts it back.</p>",
    ),
    ("v marks me and the next card: then Space lifts both", "low", ""),
    ("x closes me, u takes that back", "medium", ""),
    ("d and then fri: I am due on Friday at five", "low", ""),
    ("p makes me urgent", "low", ""),
    ("n writes a card of your own below me", "low", ""),
    ("e lets you write me anew", "low", ""),
    ("/ finds cards as you type: try /urgent, then Esc", "low", ""),
    (
        "Enter opens me, Esc comes back",
        "low",
        "<h2>You found the description</h2><p>Here you read what a task is about:</p>"
        "<ul><li>lists like this one,</li><li><code>code</code>,</li><li>links, numbered so that "
        "they can be found.</li></ul><p>The keys of the board work here too: <code>x</code>, "
        "<code>p</code>, <code>d</code>, <code>e</code>. <code>[</code> and <code>]</code> go to "
        "the cards above and below.</p>",
    ),
    ("ctrl+e shows more or less of each card, z folds a column", "low", ""),
    ("? lists every key, : runs any action by its name", "low", ""),
    ("g b goes to your boards: n makes one, D deletes this one for good", "low", ""),
)

OVER_THERE = (("Carry a card over here and drop it below me", "low", ""),)


async def make_tour(remote: Remote) -> int:
    """Make the board of the first run; returns its id. Raises `tui.api.errors.ApiError`."""
    made = await remote.create_board(TITLE, "A board that explains itself.", "to-do")
    board_id = int(made["id"])
    board = await remote.board(board_id)
    stage_ids = [int(stage["id"]) for stage in board["stages"]]
    for stage_id, title in zip(stage_ids, STAGES, strict=False):
        await remote.update_stage(board_id, stage_id, title)
    for stage_id, cards in zip(stage_ids, (CARDS, OVER_THERE), strict=False):
        for title, priority, description in cards:
            task = await remote.create_task(board_id, stage_id, title, priority)
            if description:
                await remote.set_task(board_id, int(task["id"]), "description", description)
    return board_id
