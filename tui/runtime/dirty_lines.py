"""Renders only the lines of widgets that are painted.

For each paint Textual renders every line of all widgets between the first and the last line that
changed, even where they are covered. It also fails to paint a widget whose region is asked for
between a change and its layout. It relies on private parts of Textual, see `textual_patches`.
"""

from collections.abc import Iterable, Iterator, Sequence

from textual._compositor import (
    ChopsUpdate,
    Compositor,
    CompositorMap,
    LayoutUpdate,
    ReflowResult,
)
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

_NEAR = 3
"""Merge nearby lines: one `render_lines` call is cheaper than two."""


class DirtyLines(Compositor):
    """A compositor that asks widgets only for the lines it paints."""

    _laid_out: CompositorMap = {}  # noqa: RUF012  it is replaced, never changed

    def reflow(self, parent: Widget, size: Size) -> ReflowResult:
        # Asking for a widget's region before the layout, as an input does to place its cursor,
        # builds the full map anew. `reflow` would take what was mounted or changed since the last
        # layout for laid out: it would be neither painted nor sent `Resize` and `Show`.
        self._full_map = self._laid_out
        result = super().reflow(parent, size)
        self._laid_out = self._full_map
        return result

    def render_full_update(self, simplify: bool = False) -> LayoutUpdate:
        if simplify:
            return super().render_full_update(simplify)
        self._dirty_regions.clear()
        width, height = self.size
        chops = self._chops((y, 0, width) for y in range(height))
        strips: list[Iterable[Strip]] = [list(filter(None, line.values())) for line in chops]
        return LayoutUpdate(strips, self.size.region)

    def render_partial_update(self) -> ChopsUpdate | None:
        spans = list(self._regions_to_spans(self._dirty_regions))
        self._dirty_regions.clear()
        if not spans:
            return None
        return ChopsUpdate(self._chops(spans), spans, [line[1:] for line in self.cuts])

    def _chops(self, spans: Iterable[tuple[int, int, int]]) -> list[dict[int, Strip | None]]:
        # The strips to paint in each line, by the column where each begins.
        cuts = self.cuts
        chops: list[dict[int, Strip | None]] = [dict.fromkeys(line[:-1]) for line in cuts]
        missing: dict[int, set[int]] = {}
        for y, first, last in spans:
            missing.setdefault(y, set()).update(
                cut
                for cut, end in zip(cuts[y], cuts[y][1:], strict=False)
                if cut < last and end > first
            )
        for widget, (region, clip) in self.visible_widgets.items():  # from the front to the back
            area = region.intersection(clip)
            within = range(area.x, area.right)
            lines = area.line_range
            painted = [
                y for y in missing if y in lines and any(map(within.__contains__, missing[y]))
            ]
            for top, height in _runs(painted):
                crop = Region(area.x - region.x, top - region.y, area.width, height)
                for y, strip in enumerate(widget.render_lines(crop), top):
                    if y not in missing:
                        continue
                    starts = [cut for cut in cuts[y] if cut in within]
                    ends = [*(cut - area.x for cut in starts[1:]), area.width]
                    for cut, part in zip(starts, strip.divide(ends), strict=False):
                        if cut in missing[y]:
                            missing[y].remove(cut)  # what is behind it is not seen
                            chops[y][cut] = part
                    if not missing[y]:
                        del missing[y]
            if not missing:
                break
        return chops


def _runs(lines: Sequence[int]) -> Iterator[tuple[int, int]]:
    # The first line of each run of lines that are near each other, and how many it has.
    first = 0
    for index in range(1, len(lines) + 1):
        if index == len(lines) or lines[index] > lines[index - 1] + _NEAR:
            yield lines[first], lines[index - 1] + 1 - lines[first]
            first = index
