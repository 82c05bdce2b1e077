"""The colours a label or a board may be given by name (2.3: labelColor, labelColorText)."""

LABEL_COLORS = {
    "green": "#4bce97",
    "yellow": "#f5cd47",
    "orange": "#fea362",
    "red": "#f87168",
    "purple": "#9f8fef",
    "blue": "#579dff",
    "sky": "#6cc3e0",
    "lime": "#94c748",
    "pink": "#e774bb",
    "black": "#8590a2",
    "green_dark": "#1f845a",
    "yellow_dark": "#946f00",
    "orange_dark": "#c25100",
    "red_dark": "#ae2e24",
    "purple_dark": "#5e4db2",
    "blue_dark": "#0c66e4",
    "sky_dark": "#206a83",
    "lime_dark": "#5b7f24",
    "pink_dark": "#943d73",
    "black_dark": "#44546f",
    "green_light": "#baf3db",
    "yellow_light": "#f8e6a0",
    "orange_light": "#fedec8",
    "red_light": "#ffd5d2",
    "purple_light": "#dfd8fd",
    "blue_light": "#cce0ff",
    "sky_light": "#c6edfb",
    "lime_light": "#d3f1a7",
    "pink_light": "#fdd0ec",
    "black_light": "#dcdfe4",
}

DARK_TEXT, LIGHT_TEXT = "#1B2533", "#fff"

LABEL_TEXT_COLORS = {
    name: LIGHT_TEXT if name.endswith("_dark") else DARK_TEXT for name in LABEL_COLORS
}

DEFAULT_LABELS = ("green", "yellow", "orange", "red", "purple")

BACKGROUNDS = {
    "solid_1": "#d1d8e0",
    "solid_2": "#20bf6b",
    "solid_3": "#a55eea",
    "solid_4": "#2d98da",
    "solid_5": "#eb3b5a",
    "solid_6": "#4b7bec",
}
