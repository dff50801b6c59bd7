"""A slider that calls a Go function, moved as a person moves it; every control, and its value in Go."""
import nbformat

from notebook_page import open_notebook, run_all

CELL = """\
widgets.Interact(func(n int) any { return fmt.Sprintf("the square of %d is %d", n, n*n) }, widgets.IntRange("n", 0, 20, 3))
"""


def test_a_slider_calls_a_go_function(lab, page):
    url, work = lab
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    nb.metadata["kernelspec"] = {"name": "arrayrepl", "display_name": "Go (arrayrepl)", "language": "go"}
    nbformat.write(nb, work / "slider.ipynb")
    open_notebook(page, url, "slider.ipynb")
    run_all(page)
    page.wait_for_selector("text=the square of 3 is 9", timeout=60_000)
    handle = page.wait_for_selector(".jp-OutputArea .noUi-handle", timeout=60_000)
    handle.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector("text=the square of 7 is 49", timeout=60_000)
    assert [e for e in page.errors if "favicon" not in e] == []


def test_a_slider_moves_by_its_step(lab, page):
    url, work = lab
    code = """widgets.Interact(func(tile int, x float64) any { return fmt.Sprintf("tile %d, x %.3f.", tile, x) },
    widgets.IntRange("tile", 16, 512, 64, 16), widgets.FloatRange("x", 0, 1, 0.5, 0.125))"""
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    nb.metadata["kernelspec"] = {"name": "arrayrepl", "display_name": "Go (arrayrepl)", "language": "go"}
    nbformat.write(nb, work / "steps.ipynb")
    open_notebook(page, url, "steps.ipynb")
    run_all(page)
    page.wait_for_selector("text=tile 64, x 0.500.", timeout=60_000)
    page.locator(".jp-OutputArea .noUi-handle").nth(1).wait_for(timeout=60_000)
    tile, x = page.locator(".jp-OutputArea .noUi-handle").all()
    tile.focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector("text=tile 96, x 0.500.", timeout=60_000)
    x.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("text=tile 96, x 0.375.", timeout=60_000)
    assert page.locator(".jp-OutputArea .widget-readout").all_inner_texts() == ["96", "0.375"]
    assert [e for e in page.errors if "favicon" not in e] == []


CONTROLS = """\
var status = widgets.HTML("")
controls := []widgets.Valued{
    widgets.IntSlider("int", 0, 20, 3), widgets.FloatSlider("float", 0, 1, 0.5, 0.125), widgets.FloatLogSlider("log", 0, 3, 10),
    widgets.IntRangeSlider("range", 0, 9, 2, 5), widgets.SelectionSlider("size", "small", "medium", "large"),
    widgets.BoundedIntText("count", 0, 9, 1), widgets.FloatText("number", 1.5), widgets.Text("text", "a"), widgets.Textarea("area", "b"),
    widgets.Password("secret"), widgets.Combobox("combo", "", "x", "y"), widgets.Dropdown("menu", "one", "two", "three"),
    widgets.Select("list", "p", "q"), widgets.SelectMultiple("several", "r", "s", "t"), widgets.RadioButtons("radio", "on", "off"),
    widgets.ToggleButtons("toggles", "left", "right"), widgets.Checkbox("tick", false), widgets.ToggleButton("press", false),
    widgets.DatePicker("day", time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)), widgets.TimePicker("clock", time.Time{}),
    widgets.ColorPicker("colour", "#ff0000"), widgets.TagsInput("tags", []string{"first"}), widgets.FileUpload("files", "", false),
    widgets.FloatRangeSlider("part", 0, 1, 0.25, 0.5, 0.125), widgets.SelectionRangeSlider("sizes", "small", "medium", "large"),
    widgets.IntText("any", 1), widgets.BoundedFloatText("share", 0, 1, 0.5), widgets.Play("play", 0, 2, 0, 50*time.Millisecond),
    widgets.DatetimePicker("moment", time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)),
    widgets.ColorsInput("colours", "#ff0000"), widgets.IntsInput("ints", 1), widgets.FloatsInput("floats", 0.5),
}
shown := []widgets.Widget{widgets.IntProgress("done", 0, 10, 2), widgets.FloatProgress("way", 0, 1, 0.25), widgets.Valid("fine", true),
    widgets.Label("labelled"), widgets.HTMLMath("<i>math</i>"), widgets.Image([]byte("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"), 30), widgets.Audio([]byte("RIFF"))}
show := func() {
    var b strings.Builder
    for _, c := range controls {
        v := c.Any()
        if files, ok := v.([]widgets.File); ok {
            for _, f := range files { fmt.Fprintf(&b, "[file %s %s]", f.Name, f.Content) }
            continue
        }
        if day, ok := v.(time.Time); ok { v = day.Format("2006-01-02T15:04") }
        fmt.Fprintf(&b, "[%T %v]", v, v)
    }
    status.Set(b.String())
}
children := []widgets.Widget{}
for _, c := range controls {
    c.ObserveAny(show)
    children = append(children, c)
}
pressed := 0
children = append(children, widgets.NewButton("push", func() {
    pressed++
    shown[0].(*widgets.Int).Set(8)
    shown[1].(*widgets.Float).Set(0.75)
    shown[2].(*widgets.Bool).Set(false)
    status.Set(fmt.Sprint("pushed ", pressed))
}), status)
widgets.VBox(append(children, shown...)...)
"""


def test_each_control_gives_its_value_to_go(lab, page, tmp_path):
    url, work = lab
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CONTROLS)])
    nb.metadata["kernelspec"] = {"name": "arrayrepl", "display_name": "Go (arrayrepl)", "language": "go"}
    nbformat.write(nb, work / "controls.ipynb")
    open_notebook(page, url, "controls.ipynb")
    run_all(page)
    page.wait_for_selector(".jp-OutputArea .widget-upload", timeout=60_000)

    def row(label):
        return page.locator(f".jp-OutputArea .widget-label:text-is('{label}')").first.locator("xpath=..")

    def says(text):
        page.wait_for_selector(f".widget-html-content:has-text('{text}')", timeout=60_000)

    def press(label, key, times=1, nth=0):
        handle = row(label).locator(".noUi-handle").nth(nth)
        handle.focus()
        for _ in range(times):
            page.keyboard.press(key)

    press("int", "ArrowRight", 2)
    says("[int 5]")
    press("float", "ArrowRight")
    says("[float64 0.625]")
    press("log", "ArrowRight")
    says("[float64 12.58")
    press("range", "ArrowRight", nth=1)
    says("[[2]int [2 6]]")
    press("size", "ArrowRight")
    says("[string medium]")
    for label, text, want in [("count", "7", "[int 7]"), ("number", "2.25", "[float64 2.25]"), ("text", "hello", "[string hello]"),
                              ("secret", "hush", "[string hush]"), ("combo", "free", "[string free]")]:
        field = row(label).locator("input")
        field.fill(text)
        field.press("Enter")
        says(want)
    area = row("area").locator("textarea")
    area.fill("lines")
    area.blur()
    says("[string lines]")
    row("menu").locator("select").select_option("three")
    says("[string three]")
    row("list").locator("select").select_option("q")
    says("[string q]")
    row("several").locator("select").select_option(["r", "t"])
    says("[[]string [r t]]")
    row("radio").locator("input[type=radio]").nth(1).check()
    says("[string off]")
    row("toggles").locator("button").nth(1).click()
    says("[string right]")
    page.locator(".jp-OutputArea .widget-checkbox input").check()
    says("[bool true]")
    page.locator(".jp-OutputArea .widget-toggle-button", has_text="press").click()
    says("[bool true][bool true]")
    row("day").locator("input[type=date]").fill("2027-03-04")
    says("[string 2027-03-04T00:00]")
    clock = row("clock").locator("input[type=time]")
    clock.fill("13:45")
    clock.blur()
    says("T13:45]")
    colour = row("colour").locator("input[type=text]")
    colour.click(click_count=3)
    page.keyboard.type("#00ff00")
    page.keyboard.press("Tab")
    says("[string #00ff00]")
    (tmp_path / "a.txt").write_text("content of a file")
    with page.expect_file_chooser() as chooser:
        page.locator(".jp-OutputArea .widget-upload").click()
    chooser.value.set_files(tmp_path / "a.txt")
    says("[file a.txt content of a file]")
    press("part", "ArrowRight", nth=1)
    says("[[2]float64 [0.25 0.625]]")
    press("sizes", "ArrowLeft", nth=1)
    says("[[]string [small medium]]")
    for label, text, want in [("any", "-12", "[int -12]"), ("share", "0.75", "[float64 0.75]")]:
        field = row(label).locator("input")
        field.fill(text)
        field.press("Enter")
        says(want)
    page.locator(".jp-OutputArea .widget-play button").first.click()
    says("[float64 0.75][int 2]")
    moment = row("moment").locator("input[type=datetime-local]")
    moment.fill("2027-05-06T07:08")
    moment.blur()
    says("2027-05-06T")
    tags = page.locator(".jp-OutputArea .jupyter-widget-tagsinput")
    for i, (text, want) in enumerate([("second", "[[]string [first second]]"), ("#00f", "[[]string [#ff0000 #00f]]"), ("7", "[[]int [1 7]]"), ("2.5", "[[]float64 [0.5 2.5]]")]):
        tags.nth(i).evaluate("e => e.click()")
        field = tags.nth(i).locator("input").last
        field.press_sequentially(text)
        field.blur()
        says(want)
    assert page.locator(".jp-OutputArea .widget-valid.mod-valid").count() == 1
    page.locator(".jp-OutputArea button", has_text="push").click()
    says("pushed 1")
    page.wait_for_function("[...document.querySelectorAll('.jp-OutputArea .progress-bar')].map(e => e.style.width).join() === '80%,75%'", timeout=60_000)
    page.locator(".jp-OutputArea .widget-valid.mod-invalid").wait_for(state="attached", timeout=60_000)
    for text in ("labelled", "math"):
        assert page.locator(f".jp-OutputArea .jupyter-widgets:has-text('{text}')").count()
    assert page.locator(".jp-OutputArea img[width='30']").count() == 1 and page.locator(".jp-OutputArea audio").count() == 1
    assert [e for e in page.errors if "favicon" not in e] == []


def test_layouts_and_outputs(lab, page):
    url, work = lab
    code = """out := widgets.NewOutput()
n := widgets.IntSlider("n", 0, 9, 3)
x := widgets.FloatText("x", 0)
widgets.Link(n, x)
n.Observe(func(v int) { out.Capture(func() { fmt.Println("printed for", v) }) })
widgets.AppLayout(widgets.Parts{Header: widgets.HTML("<h3>Title</h3>"), Left: n, Center: out, Right: x, Footer: widgets.Tab([]string{"First", "Second"}, widgets.HBox(widgets.Label("one")), widgets.Accordion([]string{"Inner"}, widgets.Label("deep")))})"""
    manual = """widgets.InteractManual(func(n int, name string) { fmt.Println("ran", n, name) }, widgets.Arg("n", 4), []string{"a", "b"})"""
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code), nbformat.v4.new_code_cell(manual)])
    nb.metadata["kernelspec"] = {"name": "arrayrepl", "display_name": "Go (arrayrepl)", "language": "go"}
    nbformat.write(nb, work / "layouts.ipynb")
    open_notebook(page, url, "layouts.ipynb")
    run_all(page)
    handle = page.wait_for_selector(".jp-OutputArea .noUi-handle", timeout=60_000)
    handle.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("text=printed for 4", timeout=60_000)
    page.wait_for_function("[...document.querySelectorAll('.jp-OutputArea input[type=number]')].some(e => e.value === '4')", timeout=60_000)
    assert not page.locator("text=ran 4 a").count()
    page.locator(".jp-OutputArea button", has_text="Run").click()
    page.wait_for_selector("text=ran 4 a", timeout=60_000)
    assert [e for e in page.errors if "favicon" not in e] == []


def test_boxes_and_states(lab, page):
    """Grid and Stack, which child is shown; a control that is disabled, one that tells its value when it is let go, two that the page links."""
    url, work = lab
    code = """said := widgets.Label("")
stack := widgets.Stack(widgets.Label("lower"), widgets.Label("upper"))
late := widgets.IntSlider("late", 0, 9, 3)
late.SetContinuous(false)
still := widgets.IntSlider("still", 0, 9, 4)
still.SetDisabled(true)
a, b := widgets.IntSlider("a", 0, 9, 1), widgets.IntSlider("b", 0, 9, 1)
widgets.LinkInPage(a, b)
wide := widgets.NewButton("wide", func() { stack.Select(1); still.SetDisabled(false) })
wide.SetLayout(widgets.Layout{Width: "333px"})
wide.SetStyle(widgets.Style{ButtonColor: "#123456"})
late.Observe(func(n int) { said.Set(fmt.Sprint("late is ", n)) })
b.Observe(func(n int) { said.Set(fmt.Sprint("b is ", n)) })
widgets.Grid(2, stack, late, still, a, b, wide, said)"""
    args = """widgets.Interact(func(name string, on bool, kind string) any { return fmt.Sprint(name, " ", on, " ", kind, ".") },
    widgets.TextField("name", "first"), widgets.CheckBox("on", true), widgets.Choice("kind", "round", "square"))"""
    button = """n := 0
widgets.Button("again", func() { n++; fmt.Println("pressed", n) })"""
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in (code, args, button)])
    nb.metadata["kernelspec"] = {"name": "arrayrepl", "display_name": "Go (arrayrepl)", "language": "go"}
    nbformat.write(nb, work / "boxes.ipynb")
    open_notebook(page, url, "boxes.ipynb")
    run_all(page)
    page.wait_for_selector("text=first true round.", timeout=60_000)

    def row(label):
        return page.locator(f".jp-OutputArea .widget-label:text-is('{label}')").first.locator("xpath=..")

    columns = page.locator(".jp-OutputArea .widget-gridbox").first.evaluate("e => getComputedStyle(e).gridTemplateColumns")
    assert len(columns.split()) == 2
    lower, upper = (page.locator(f".jp-OutputArea .widget-label:text-is('{text}')") for text in ("lower", "upper"))
    assert lower.is_visible() and not upper.is_visible()
    for label in ("late", "a"):
        row(label).locator(".noUi-handle").focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f"text={'late is 4' if label == 'late' else 'b is 2'}", timeout=60_000)
    handle = row("still").locator(".noUi-handle")
    assert row("still").locator(".noUi-target[disabled]").count() == 1
    wide = page.locator(".jp-OutputArea button", has_text="wide")
    assert wide.evaluate("e => [getComputedStyle(e).width, getComputedStyle(e).backgroundColor]") == ["333px", "rgb(18, 52, 86)"]
    wide.click()
    upper.wait_for(state="visible", timeout=60_000)
    assert not lower.is_visible()
    row("still").locator(".noUi-target:not([disabled])").wait_for(timeout=60_000)
    handle.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("[...document.querySelectorAll('.widget-readout')].some(e => e.textContent === '5')", timeout=60_000)

    name = row("name").locator("input")
    name.fill("second")
    name.press("Enter")
    page.wait_for_selector("text=second true round.", timeout=60_000)
    page.locator(".jp-OutputArea .widget-checkbox input").uncheck()
    page.wait_for_selector("text=second false round.", timeout=60_000)
    row("kind").locator("select").select_option("square")
    page.wait_for_selector("text=second false square.", timeout=60_000)
    for n in (1, 2):
        page.locator(".jp-OutputArea button", has_text="again").click()
        page.wait_for_selector(f"text=pressed {n}", timeout=60_000)
    assert [e for e in page.errors if "favicon" not in e] == []
