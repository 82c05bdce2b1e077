"""The shape of what a service says.

The rule it keeps: a document is a plain JSON object as the service said it, with ids made integers,
decimals made numbers and empty arrays made objects where an object is due. Unknown fields stay.
"""

from typing import Any

Document = dict[str, Any]
"""One thing as the service said it, ready for the cache."""
