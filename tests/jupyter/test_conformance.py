"""jupyter_kernel_test, with everything that the kernel claims."""
import unittest

import jupyter_kernel_test as jkt

from conftest import FAKE


class Conformance(jkt.KernelTests):
    kernel_name = "arrayrepl"
    language_name = "go"
    file_extension = ".go"
    code_hello_world = 'fmt.Println("hello, world")'
    code_stderr = 'fmt.Fprintln(os.Stderr, "oops")'
    completion_samples = [{"text": "fmt.Prin"}]
    complete_code_samples = ["1 + 1", "x := 41"]
    incomplete_code_samples = ["func f() {", "if true {"]
    invalid_code_samples = ["x := )("]
    code_generate_error = 'panic("boom")'
    code_execute_result = [{"code": "1 + 1", "result": "2"}] * 3
    code_display_data = [{"code": 'display.Show(display.HTML("<b>"))', "mime": "text/html"}]
    code_clear_output = "" if FAKE else "display.Clear(false)"
    code_history_pattern = "1 + ?"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "fmt.Println"


class Welcome(jkt.IopubWelcomeTests):
    kernel_name = "arrayrepl"
    support_iopub_welcome = True


if __name__ == "__main__":
    unittest.main()
