"""A home in which every screen has something to show, and every key something to act on."""

from pathlib import Path

from tests.quirky.people import give_passwords
from tests.service.pictures import png
from tui.client.capabilities import Capabilities
from tui.client.client import Client
from tui.client.editions.client import client_for
from tui.client.http.credentials import Credentials
from tui.client.http.inprocess import InProcessTransport
from tui.client.http.session import HttpSession
from tui.service.accounts.accounts import create_account
from tui.service.embedded import BASE_URL, open_embedded
from tui.service.times import SiteClock, utc_now

LOGIN, COLLEAGUE = "ann", "bob"
BOARD, OTHER_BOARD = "Garden", "House"
CARD, NEXT_CARD = "Fix the gate", "Sow the lawn"
FIELD, LABEL, FOLDER, ARCHIVED, WEBHOOK = "Cost", "urgent", "Outside", "Old roses", "From the shop"
COMMENT, REPLY = "Which hinges?", "The long ones"
_STAGES = ("Backlog", "Doing", "Done")
_TEXT = '<p>The hinge <b>rusts</b>, see <a href="https://example.org/hinge">the shop</a>.</p>'


async def furnish_home(home: Path) -> None:
    """Put the board into a home in which the program has never been."""
    data = home / "data"
    data.mkdir(parents=True)
    (data / "tour").write_text("made", "utf-8")
    service = open_embedded(data / "boards.sqlite3", login=LOGIN, display_name="Ann Miller")
    try:
        with service.database.transaction(writing=True) as db:
            create_account(db, SiteClock(utc_now, None), login=COLLEAGUE, display_name="Bob Cook")
        give_passwords(service.database, COLLEAGUE)
        transport = InProcessTransport(service.application)
        credentials = Credentials(service.login, service.password)
        session = HttpSession(BASE_URL, credentials, transport=transport)
        async with client_for(session, capabilities=Capabilities.embedded()) as client:
            await _furnish(client)
    finally:
        service.close()


async def _furnish(client: Client) -> None:
    other = await client.create_board(OTHER_BOARD, "", "to-do")
    folder = await client.create_folder(FOLDER)
    await client.add_to_folder(folder["id"], [other["id"]])
    board_id = (await client.create_board(BOARD, "", "to-do"))["id"]
    people = {one["display_name"]: one["ID"] for one in await client.users()}
    await client.add_member(board_id, people["Bob Cook"])
    stages = [stage["id"] for stage in (await client.board(board_id))["stages"]]
    for stage, title in zip(stages, _STAGES, strict=False):
        await client.update_stage(board_id, stage, title)
    await client.create_stage(board_id, "Attic", status="open")
    attic = (await client.board(board_id))["stages"][-1]["id"]
    await client.archive_stage(board_id, attic)
    for name in (LABEL, "later"):
        await client.create_label(board_id, name, text_color="#ffffff", color="#c0392b")
    await client.create_field(board_id, FIELD, "text")
    await client.create_webhook(WEBHOOK, board_id, stages[0])
    for title in ("Clean the pond", "Oil the chairs", "Call the roofer"):
        await client.create_task(board_id, stages[1], title)
    archived = await client.create_task(board_id, stages[0], ARCHIVED)
    await client.set_task(board_id, archived["id"], "archived_at", "2026-01-02 03:04:05")
    card = (await client.create_task(board_id, stages[0], CARD, "high"))["id"]
    await client.create_task(board_id, stages[0], NEXT_CARD)
    await _furnish_card(client, board_id, card, people["Ann Miller"])


async def _furnish_card(client: Client, board_id: int, card: int, ann: int) -> None:
    await client.set_task(board_id, card, "description", _TEXT)
    await client.assign(board_id, card, [ann])
    label = next(one for one in await client.labels(board_id) if one["title"] == LABEL)
    await client.add_label(board_id, card, label["id"])
    for group in ("Before", "After"):
        made = await client.create_subtask_group(board_id, card, group)
        for number in ("one", "two"):
            await client.create_subtask(board_id, card, made["id"], f"{group} {number}")
    picture = await client.upload_image(board_id, card, "gate.png", png(8, 8))
    asked = await client.create_comment(board_id, card, COMMENT, image_ids=[picture["id"]])
    await client.create_comment(board_id, card, REPLY, parent_id=asked["id"])
    for text in ("The left one", "Both of them"):
        await client.create_comment(board_id, card, text)
