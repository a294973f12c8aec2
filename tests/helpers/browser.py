"""Headless Chromium for tests: open pages in frames, read what a script measures there."""
import html
import json
import re
import shutil
import subprocess

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
)
DARK, LIGHT = 0, 1                   # Chromium's numbers for the scheme that a person prefers

MEASURE = """
window.onload = () => {
  const measured = [...document.querySelectorAll("iframe")].map(frame => {
    const page = frame.contentDocument, style = frame.contentWindow.getComputedStyle;
    const grid = page.querySelector(".grid"), cells = [...page.querySelectorAll("th, td")];
    frame.contentWindow.scrollTo(0, grid.offsetTop + 1000);
    const clipped = cells.filter(cell => cell.scrollWidth > cell.clientWidth + 1);
    return {
      title: page.title,
      wide: page.documentElement.scrollWidth, clipped: clipped.map(cell => cell.textContent),
      scripts: page.querySelectorAll("script, img, iframe, link, a").length,
      names: [...grid.querySelector("table").querySelectorAll("bdi")].map(name => name.textContent),
      head: grid.querySelector("thead th").getBoundingClientRect().top,
      smallest: Math.min(...[...page.querySelectorAll("body *")].map(one => parseFloat(style(one).fontSize))),
      parts: [...grid.children].map(part => ({
        top: part.getBoundingClientRect().top,
        rows: [...part.querySelectorAll("tr")].map(row => row.getBoundingClientRect().height),
      })),
      colours: ["body", "td.solved", "td.started", "td.broken", "td.no-file", "thead th"].map(at => {
        const one = page.querySelector(at);
        return one ? [style(one).color, style(one).backgroundColor] : null;
      }),
    };
  });
  document.body.textContent = JSON.stringify(measured);
};
"""


def chromium(folder, address, *flags):
    """Run Chromium on an address with a profile of its own; return what it printed."""
    done = subprocess.run(
        [CHROMIUM, *FLAGS, f"--user-data-dir={folder / 'profile'}", *flags, address],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120, check=True)
    return done.stdout.decode("utf-8")


def measured(folder, pages, scheme):
    """What the script measures in each of these pages (HTML, width, height); without Chromium, skip the test."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here")
    frames = "".join(
        f'<iframe width="{width}" height="{height}" style="border: 0" srcdoc="{html.escape(page)}"></iframe>'
        for page, width, height in pages)
    path = folder / "measure.html"
    path.write_text(f'<!DOCTYPE html><meta charset="utf-8"><script>{MEASURE}</script><body>{frames}',
                    encoding="utf-8")
    printed = chromium(folder, path.as_uri(), "--window-size=1920,1080", "--dump-dom",
                       f"--blink-settings=preferredColorScheme={scheme}")
    return json.loads(html.unescape(re.search(r"<body>(.*)</body>", printed, re.DOTALL)[1]))
