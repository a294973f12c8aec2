"""The end of a run with --picture or --picture-text: the selected katas are shown, one after the other."""
from textwrap import wrap

from grader.course.katas import shown
from grader.course.terminal import width
from grader.output.pictures import png as pictures
from grader.output.pictures import text as text_pictures
from grader.output.pictures.filled import filled

WIDTHS = 60, 100                          # of a text picture, in columns


def show(terminal, results, grading):
    """Show the katas that have a picture, and say which have none."""
    katas = [result.kata for result in results]
    columns = width(terminal, *WIDTHS)
    terminal.write_line("")
    for kata in katas:
        if kata.picture.is_file():
            panels = filled(kata, grading)
            if grading.options.picture_text:
                text_pictures.write(terminal, kata, panels, columns)
            if grading.options.picture:
                save(terminal, kata, panels, pictures.folder(grading.options))
    without = [kata.folder.name for kata in katas if not kata.picture.is_file()]
    if without:
        for line in wrap(f"No picture: {', '.join(without)}", columns, subsequent_indent="  "):
            terminal.write_line(line)


def save(terminal, kata, panels, folder):
    """Write the PNG file of a kata and say where it is."""
    path = folder / f"{kata.folder.name}.png"
    try:
        pictures.write(path, kata, panels)
        terminal.write_line(f"Picture: {shown(path)}")
    except OSError as error:
        terminal.write_line(f"Picture: {shown(path)} could not be written: {error.strerror}", red=True)
