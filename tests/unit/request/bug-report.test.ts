/** Which issues report a bug. */
import {expect, it} from "vitest";
import {reportsBug} from "../../../src/request/bug-report.ts";

const issue = (title: string, body = "", request = "") => ({title, body, request});

it.each([
  issue("parse crashes on an empty value"),
  issue("`--json` does not print the commit"),
  issue("Login", "### Steps to reproduce\n1. Open it"),
  issue("Numbers", "", "fix the rounding error in sum"),
])("$title is a bug", (text) => {
  expect(reportsBug(text)).toBe(true);
});

it.each([
  issue("Add a product function"),
  issue("Explain why parse throws in the documentation"),
  issue("Feature: do not fail on warnings"),
  issue("Sum of three numbers", "It should add.", "add this"),
])("$title is none", (text) => {
  expect(reportsBug(text)).toBe(false);
});
