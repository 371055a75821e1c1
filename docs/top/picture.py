#!/usr/bin/env python3
"""picture.py FILE.ansi FILE.svg [light|dark]: draws what tmux capture-pane -e printed as an SVG picture."""
import re, sys
from xml.sax.saxutils import escape

text = open(sys.argv[1], encoding="utf-8").read().rstrip("\n").split("\n")
light = len(sys.argv) > 3 and sys.argv[3] == "light"
FG, BG = ("#1a1a1a", "#ffffff") if light else ("#d8d8d8", "#101010")
BASIC = ["#000000", "#cc3300", "#009e73", "#d68c00", "#0072b2", "#cc57a0", "#2aa198", "#d8d8d8"]
W, H, LEFT = 7.83, 17, 8


def indexed(n):
    if n < 8:
        return BASIC[n]
    if n < 16:
        return BASIC[n - 8] if n != 8 else "#808080"
    if n < 232:
        n -= 16
        return "#%02x%02x%02x" % tuple(0 if v == 0 else 55 + 40 * v for v in (n // 36, n // 6 % 6, n % 6))
    return "#%02x%02x%02x" % ((8 + 10 * (n - 232),) * 3)


out, columns = [], 0
fg, bold, reverse = None, False, False
for y, line in enumerate(text):
    x = 0
    for part in re.split(r"(\x1b\[[0-9;]*m|\x1b\([B0]|[\x0e\x0f])", line):
        if part.startswith("\x1b["):
            codes = [int(c or 0) for c in part[2:-1].split(";")]
            while codes:
                c = codes.pop(0)
                if c == 0:
                    fg, bold, reverse = None, False, False
                elif c == 1:
                    bold = True
                elif c == 7:
                    reverse = True
                elif c == 27:
                    reverse = False
                elif c == 22:
                    bold = False
                elif c == 39:
                    fg = None
                elif 30 <= c <= 37:
                    fg = BASIC[c - 30]
                elif 90 <= c <= 97:
                    fg = "#808080" if c == 90 else BASIC[c - 90]
                elif c == 38 and codes.pop(0) == 5:
                    fg = indexed(codes.pop(0))
                elif c == 38:
                    fg = "#%02x%02x%02x" % tuple(codes.pop(0) for _ in range(3))
            continue
        if not part or part.startswith("\x1b") or part in "\x0e\x0f":
            continue
        ink, paper = fg or FG, None
        if reverse:
            ink, paper = BG, fg or FG
        if paper:
            out.append('<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>' % (LEFT + x * W, y * H + 8, len(part) * W, H, paper))
        if part.strip():
            skip = len(part) - len(part.lstrip())
            body = part.strip()
            out.append('<text x="%.1f" y="%d" textLength="%.1f" fill="%s"%s>%s</text>' % (LEFT + (x + skip) * W, y * H + 21, len(body) * W, ink, ' font-weight="bold"' if bold else "", escape(body).replace(" ", "\u00a0")))
        x += len(part)
        columns = max(columns, x)
width, height = columns * W + 2 * LEFT, len(text) * H + 16
print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13"><rect width="100%%" height="100%%" fill="%s"/>' % (width, height, BG), *out, "</svg>", sep="\n", file=open(sys.argv[2], "w", encoding="utf-8"))
