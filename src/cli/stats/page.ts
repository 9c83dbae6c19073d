/** The figures of `assay stats` as one HTML page, which a browser can open without a server and without a network. */
import {htmlLine} from "../../markdown/escape.ts";
import {duration, money, withCount} from "../../report/format.ts";
import {pageHead} from "../../report/page.ts";
import {statsRows} from "./rows.ts";
import type {Stats} from "./summarize.ts";

export interface PageOptions {
  /** a repository, or an owner */
  readonly title: string;
  /** ISO 8601 */
  readonly since: string;
  readonly stats: Stats;
  /** empty for a single repository */
  readonly repositories: readonly (Stats & {readonly repository: string})[];
}

export function statsPage({title, since, stats, repositories}: PageOptions): string {
  const {runs, pullRequests, usd} = stats;
  const firstLine = `${withCount(runs, "request")} · ${pullRequests.merged} merged · ${money(usd)}`;
  const figures = `<p><b>${htmlLine(firstLine)}</b></p>${table([], statsRows(stats))}`;
  const checks = stats.checks.map(({name, runs, failed, flaky, medianSeconds, maxSeconds}) => [
    ...[name, ...[runs, failed, flaky].map(String)],
    ...[medianSeconds, maxSeconds].map((seconds) => duration(seconds * 1000)),
  ]);
  const owned = repositories.map((one) => [
    ...[one.repository, String(one.runs)],
    String((one.verdicts["verified"] ?? 0) + (one.verdicts["verified-with-preexisting"] ?? 0)),
    ...[one.pullRequests.merged, one.reverted, one.hotFixed, one.red.count].map(String),
    ...[money(one.usd), String(Math.round(one.minutes))],
  ]);
  const sections = [
    [`${title} since ${since.slice(0, "2026-01-01".length)}`, figures],
    ["Repositories", table(REPOSITORY_HEAD, owned)],
    ["Checks", table(CHECK_HEAD, checks)],
    ["Flaky tests", table(["Test", "Requests"], Object.entries(stats.flakyTests).map(asRow))],
  ].filter(([, body]) => body !== "");
  const html = sections.map(
    ([heading = "", body = ""], at) =>
      `<section><h2>${htmlLine(heading)}</h2><div class="${at === 0 ? "body figures" : "more"}">${body}</div></section>`,
  );
  return `${pageHead("Assay's figures")}${html.join("\n")}\n</html>\n`;
}

const REPOSITORY_HEAD = [
  "Repository",
  "Requests",
  "Verified",
  "Merged",
  "Reverted",
  "Hot-fixed",
  "Red",
  "Cost",
  "Minutes",
];
const CHECK_HEAD = ["Check", "Requests", "Failed", "Flaky", "Median", "Longest"];
const asRow = ([name, count]: [string, number]): string[] => [name, String(count)];

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${htmlLine(cell)}</${tag}>`).join("")}</tr>`;
  const headRow = head.length === 0 ? "" : row(head, "th");
  return `<table>${headRow}${rows.map((cells) => row(cells, "td")).join("")}</table>`;
}
