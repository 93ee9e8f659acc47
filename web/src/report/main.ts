import "../base/tokens.css";
import "../ui/base.css";
import { mount } from "svelte";
import { readReport } from "./data";
import Report from "./Report.svelte";

const text = document.getElementById("report")!.textContent!;
mount(Report, { target: document.getElementById("app")!, props: { report: readReport(text) } });
