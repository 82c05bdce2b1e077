"""Everything of a service in one file, to keep, to move to another machine or another database.

An archive is a zip file (entries stored or deflated, never encrypted) that does not depend on the
kind of database it was made from. Its entries are these and no others:

- `manifest.json`, one JSON object in UTF-8:
  - `format`: `callboard-archive`; `format_version`: 1.
  - `schema_version`: how many migrations (`tui.service.database.schema`) made the tables.
  - `created_at`: when it was made, ISO 8601 in UTC.
  - `tables`: by name, an object with `rows` (how many), `bytes` and `sha256` (of the entry's
    content) and `last_id`, the highest id ever used (null where ids are not counted). Ids are
    never used twice, so what comes after an import gets higher ones.
  - `files`: by name, an object with `bytes` and `sha256`, one for each picture.
  - `missing_files`: the names of pictures that a row tells of but whose files were gone.
- `tables/NAME.jsonl` for each table: a row in a line, in the order of the primary key, as a JSON
  object of all columns by name in UTF-8. Integers and reals are JSON numbers, text and moments are
  strings as they are kept, and what is kept as JSON is a string that holds it. Hashes of passwords
  and the key that signs the addresses of pictures are among them: anybody with an archive can try
  passwords at leisure, so it is written for its owner alone.
- `attachments/NAME` for each picture: its bytes; NAME is 32 hexadecimal digits.

An import looks at everything before it writes anything, takes nothing that is not described here,
and leaves either all of it behind or nothing. What is in rows is trusted as the database itself is:
import only what comes from somebody whose database you would open.
"""
