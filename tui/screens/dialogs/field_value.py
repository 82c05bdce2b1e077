"""The options of a select, to choose one of.

The rule it keeps: an option is chosen by its letter or by the arrows; “none” is the last one, so
that a hasty Enter clears nothing.
"""

from tui.model.custom_field import CustomField
from tui.screens.dialogs.choose import Choice, ChooseDialog

_LETTERS = "123456789abcdefhilmoprstuvwxyz"
NO_LETTER = "0"


def select_dialog(title: str, field: CustomField, value: str) -> ChooseDialog:
    """A dialog that answers with an option of a select, or with nothing for none."""
    options = [option for option in dict.fromkeys(field.options) if option]
    choices = [
        Choice(_LETTERS[place] if place < len(_LETTERS) else " ", option, option)
        for place, option in enumerate(options)
    ]
    return ChooseDialog(title, [*choices, Choice(NO_LETTER, "none", "")], value)
