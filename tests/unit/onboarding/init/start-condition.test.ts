/** Which comments start a machine, by GitHub's own evaluator of expressions: every request, and next to nothing else. */
import {readFileSync} from "node:fs";
import {expect, test} from "vitest";
import {parse} from "yaml";
import {separatedWorkflow} from "../../../../src/onboarding/init/separated-workflow.ts";
import {isPlainPhrase, startCondition} from "../../../../src/onboarding/init/start-condition.ts";
import {callerWorkflow, singleWorkflow} from "../../../../src/onboarding/init/workflow-file.ts";
import {parseCommand} from "../../../../src/request/command.ts";
import {DEFAULT_COMMANDS, DEFAULT_PHRASE} from "../../../../src/request/default-phrase.ts";
import {evaluate} from "../../../rig/workflow/expressions.ts";

const read = (path: string) => parse(readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8"));
const commentBy = (type: string, body: string | null) => ({
  comment: {body},
  issue: {number: 7, body: "/assay the issue's own text"},
  sender: {type},
});

/** What the expression gives for an event. */
function value(expression: string, event: object, phrase = DEFAULT_PHRASE, inputs = {}, event_name = ""): string {
  const contexts = {
    github: {event, event_name, run_id: "4711"},
    inputs: {"trigger-phrase": phrase, commands: DEFAULT_COMMANDS, ...inputs},
  };
  return evaluate(expression, {contexts: JSON.parse(JSON.stringify(contexts)), status: "success"}).coerceString();
}

/** Each condition of the job `answer`. */
const ANSWERS: readonly string[] = [
  read("docs/workflows/single.yml").jobs.answer.if,
  read("docs/workflows/separated.yml").jobs.answer.if,
  read(".github/workflows/separated.yml").jobs.answer.if,
];

/** Each condition that we ship, with the phrase that it is for. */
const CONDITIONS: readonly (readonly [string, string, string])[] = [
  ["single.yml", read("docs/workflows/single.yml").jobs.assay.if, DEFAULT_PHRASE],
  ["separated.yml", read("docs/workflows/separated.yml").jobs.admit.if, DEFAULT_PHRASE],
  ["the called one", read(".github/workflows/separated.yml").jobs.admit.if, DEFAULT_PHRASE],
  ["single.yml for /fix", parse(singleWorkflow([], "/fix #do")).jobs.assay.if, "/fix #do"],
  ["separated.yml for /fix", parse(separatedWorkflow([], {phrase: "/fix #do"})).jobs.admit.if, "/fix #do"],
  ["the caller for /fix", parse(callerWorkflow("/fix #do")).jobs.assay.if, "/fix #do"],
];

const STARTS = [
  "CALL",
  "CALL please fix it",
  "CALL, please fix it",
  "CALL\r\nfix it",
  "/verify",
  "/VERIFY lint",
  "/continue with less",
  "/plan",
  "\n/plan",
  "\nCALL fix it",
  "\r\n/verify",
  "CALL, fix it",
  "/verify. thanks",
];
const STAYS = [
  "see https://example.com/assay/verify",
  "src/a.ts and/or /etc/passwd",
  "/etc/hosts is wrong",
  "> CALL fix it",
  "> quoted\n\n/verify",
  "```\n/verify\n```",
  "please CALL fix it",
  "\u00a0\nCALL fix it",
  "\n\nCALL fix it",
  '"quoted\n/verify',
  "\nhello\n/verify",
  "thanks!",
  "  /verify",
  "",
];

test.each(CONDITIONS)("%s starts for each request, and for no chat", (_, condition, phrase) => {
  for (const call of phrase.split(" ")) {
    for (const text of STARTS.map((one) => one.replace("CALL", call))) {
      expect(parseCommand(text, {phrase}), text).not.toBeNull();
      expect(value(condition, commentBy("User", text)), text).toBe("true");
      expect(value(condition, commentBy("Bot", text)), text).toBe("false");
    }
    for (const text of STAYS.slice(0, -1).map((one) => one.replace("CALL", call))) {
      expect(parseCommand(text, {phrase}), text).toBeNull();
      expect(value(condition, commentBy("User", text)), text).toBe("false");
    }
  }
});

test("some commands start the job `answer` and no other, for a person", () => {
  for (const text of ["/help", "/Status", "/stop it", "/helpme", "/status/page is broken", "\n/stop", "\r\n/help."]) {
    expect(parseCommand(text, {phrase: DEFAULT_PHRASE}), text).not.toBeNull();
    for (const condition of ANSWERS) {
      expect(value(condition, commentBy("User", text)), text).toBe("true");
      expect(value(condition, commentBy("Bot", text)), text).toBe("false");
    }
    // a caller lets the called workflow choose the job
    for (const [name, condition] of CONDITIONS)
      expect([name, value(condition, commentBy("User", text))]).toEqual([name, String(name.startsWith("the caller"))]);
  }
  for (const text of [...STARTS, ...STAYS])
    for (const condition of ANSWERS) expect(value(condition, commentBy("User", text)), text).toBe("false");
});

test("an opened issue starts a run by its own text", () => {
  const opened = (body: string | null) => ({issue: {number: 7, body}, sender: {type: "User"}});
  for (const [, condition, phrase] of CONDITIONS) {
    expect(value(condition, opened(`${phrase.split(" ")[0]} do it`))).toBe("true");
    expect(value(condition, opened("Something is wrong, see a/b"))).toBe("false");
    expect(value(condition, opened(null))).toBe("false");
  }
});

const PULL = {head: {repo: {full_name: "o/r"}}, body: "/assay the pull request's own text", number: 9};
const reviewed = (payload: object) => ({
  repository: {full_name: "o/r"},
  sender: {type: "User"},
  pull_request: PULL,
  ...payload,
});

test("the review of a bot starts a run on Assay's own branch of this repository, and nowhere else", () => {
  const review = {body: "One issue found.", user: {type: "Bot"}};
  const of = (ref: string, repo = {full_name: "o/r"}, by = "Bot") =>
    reviewed({
      review: {...review, user: {type: by}},
      sender: {type: by},
      repository: {full_name: "o/r"},
      pull_request: {...PULL, head: {ref, repo}},
    });
  const jobs = [singleWorkflow([], DEFAULT_PHRASE, {on: ["reviews"]}), separatedWorkflow([], {on: ["reviews"]})]
    .map((text) => parse(text).jobs)
    .map(({assay, admit = assay}) => admit.if);
  for (const condition of [...jobs, read(".github/workflows/separated.yml").jobs.admit.if]) {
    expect(value(condition, of("assay/issue-1"))).toBe("true");
    expect(value(condition, of("docs"))).toBe("false");
    expect(value(condition, of("assay/issue-1", {full_name: "otto/r"}))).toBe("false");
    expect(value(condition, of("assay/issue-1", {full_name: "o/r"}, "User"))).toBe("false");
  }
});

test("reviews and comments on lines start a run by their text, in a workflow for them", () => {
  const on = ["reviews"];
  const conditions = [
    parse(singleWorkflow([], DEFAULT_PHRASE, {on})).jobs.assay.if,
    parse(separatedWorkflow([], {on})).jobs.admit.if,
    parse(callerWorkflow("/assay @bot", on)).jobs.assay.if,
    read(".github/workflows/separated.yml").jobs.admit.if,
  ];
  const answers = [parse(singleWorkflow([], DEFAULT_PHRASE, {on})).jobs.answer.if, ANSWERS[2] ?? ""];
  for (const key of ["comment", "review"])
    for (const [expressions, text] of [
      [conditions, "/assay fix it"],
      [answers, "/help"],
    ] as const)
      for (const condition of expressions) {
        expect(value(condition, reviewed({[key]: {body: text}}))).toBe("true");
        expect(value(condition, reviewed({[key]: {body: "Looks good"}}))).toBe("false");
        expect(value(condition, reviewed({[key]: {body: null}}))).toBe("false");
        expect(value(condition, reviewed({[key]: {body: text}, sender: {type: "Bot"}}))).toBe("false");
        for (const repo of [{full_name: "fork/r"}, null])
          expect(value(condition, reviewed({[key]: {body: text}, pull_request: {...PULL, head: {repo}}}))).toBe(
            "false",
          );
        expect(value(condition, commentBy("User", text))).toBe("true");
      }
  const {on: events, jobs} = parse(singleWorkflow([], DEFAULT_PHRASE, {on}));
  expect(events).toEqual({
    issue_comment: {types: ["created"]},
    issues: {types: ["opened"]},
    pull_request_review_comment: {types: ["created"]},
    pull_request_review: {types: ["submitted"]},
  });
  // without it, these events run on the merge of the pull request
  expect(jobs.assay.steps[0].with.ref).toBe("${{ github.event.repository.default_branch }}");
  const group = /^assay-\$\{\{(.*)\}\}$/s.exec(parse(separatedWorkflow([], {on})).concurrency.group)?.[1] ?? "";
  expect(value(group.trim(), reviewed({review: {body: "/assay fix it"}}))).toBe("9");
  expect(value(group.trim(), reviewed({review: {body: "thanks"}}))).toBe("4711");
});

test("a label or an assignment starts a run by its name only, in a workflow for it", () => {
  const on = ["label:assay", "assignment:robot"];
  const conditions = [
    parse(singleWorkflow([], DEFAULT_PHRASE, {on})).jobs.assay.if,
    parse(separatedWorkflow([], {on})).jobs.admit.if,
    parse(callerWorkflow("/assay @bot", on)).jobs.assay.if,
    read(".github/workflows/separated.yml").jobs.admit.if,
    startCondition("", {on}).join(" "),
  ];
  const answers = [parse(singleWorkflow([], DEFAULT_PHRASE, {on})).jobs.answer.if, ANSWERS[2] ?? ""];
  const inputs = {label: "assay", assignee: "robot"};
  const issue = {number: 7, body: "Something is wrong"};
  const of = (condition: string, payload: object, given = inputs) =>
    value(condition, {issue, sender: {type: "User"}, ...payload}, DEFAULT_PHRASE, given);
  for (const condition of conditions) {
    expect(of(condition, {label: {name: "Assay"}})).toBe("true");
    expect(of(condition, {assignee: {login: "robot"}})).toBe("true");
    expect(of(condition, {label: {name: "assay"}, sender: {type: "Bot"}})).toBe("false");
    for (const text of ["/assay fix it", "/help", "thanks"]) {
      expect(of(condition, {label: {name: "bug"}, issue: {number: 7, body: text}})).toBe("false");
      expect(of(condition, {assignee: {login: "ada"}, issue: {number: 7, body: text}})).toBe("false");
    }
    expect(of(condition, {issue: {number: 7, body: "/assay fix it"}})).toBe("true");
  }
  for (const condition of answers)
    for (const payload of [{label: {name: "assay"}}, {assignee: {login: "robot"}}])
      expect(of(condition, {...payload, issue: {number: 7, body: "/help"}})).toBe("false");
  const [called = ""] = conditions.slice(3);
  const none = {label: "", assignee: ""};
  for (const payload of [{}, {label: {name: "assay"}}, {assignee: {login: "robot"}}])
    expect(of(called, payload, none)).toBe("false");
  for (const [, condition] of CONDITIONS)
    if (condition !== called) expect(of(condition, {label: {name: "assay"}})).toBe("false");
  expect(parse(singleWorkflow([], DEFAULT_PHRASE, {on})).on.issues.types).toEqual(["opened", "labeled", "assigned"]);
  expect(parse(callerWorkflow(DEFAULT_PHRASE, ["label:my bot"])).jobs.assay.with).toMatchObject({label: "my bot"});
  expect(parse(separatedWorkflow([], {on})).jobs.admit.steps[0].with).toEqual({job: "admit", assignee: "robot"});
});

test("runs by hand and by schedule start for a person, in a queue with the issue's other runs", () => {
  const on = ["dispatch", "schedule:0 5 * * 1"];
  const whole = parse(separatedWorkflow([], {on}));
  const single = parse(singleWorkflow([], DEFAULT_PHRASE, {on}));
  const conditions = [
    single.jobs.assay.if,
    whole.jobs.admit.if,
    parse(callerWorkflow("/assay @bot", on)).jobs.assay.if,
    read(".github/workflows/separated.yml").jobs.admit.if,
    startCondition("", {on}).join(" "),
  ];
  const of = (condition: string, event_name: string, event: object) =>
    value(condition, {sender: {type: "User"}, ...event}, DEFAULT_PHRASE, {}, event_name);
  for (const condition of conditions) {
    for (const text of ["fix it", "/help"]) {
      expect(of(condition, "workflow_dispatch", {inputs: {issue: "7", text}})).toBe("true");
      expect(of(condition, "workflow_dispatch", {inputs: {text}, sender: {type: "Bot"}})).toBe("false");
    }
    expect(of(condition, "schedule", {schedule: "0 5 * * 1", sender: null})).toBe("true");
    if (condition !== conditions[4])
      expect(of(condition, "issue_comment", {...commentBy("User", "hello")})).toBe("false");
  }
  for (const [, condition] of CONDITIONS)
    if (condition !== conditions[3])
      expect(of(condition, "workflow_dispatch", {inputs: {text: "/assay fix it"}})).toBe("false");
  for (const condition of [single.jobs.answer.if, ...ANSWERS])
    expect(of(condition, "workflow_dispatch", {inputs: {text: "/help"}})).toBe("false");
  for (const {group} of [whole.concurrency, single.jobs.assay.concurrency]) {
    const groupOf = (name: string, event: object) => of(group.replace(/^assay-\$\{\{|\}\}\s*$/g, ""), name, event);
    expect(groupOf("workflow_dispatch", {inputs: {issue: "7"}})).toBe("7");
    expect(groupOf("workflow_dispatch", {inputs: {issue: "", text: "fix it"}})).toBe("4711");
    expect(groupOf("schedule", {schedule: "0 5 * * 1"})).toBe("4711");
    expect(groupOf("issue_comment", commentBy("User", "/assay fix it"))).toBe("7");
  }
  expect(single.on.schedule).toEqual([{cron: "0 5 * * 1"}]);
  expect(single.jobs.assay.permissions.actions).toBe("read");
  expect(whole.jobs.admit.permissions.actions).toBe("read");
  expect(single.jobs.assay.steps[0].with.ref).toContain("default_branch");
  expect(Object.keys(single.jobs.assay.steps.at(-1).with)).toContain("schedule-text");
});

test("failed CI of a branch of Assay in this repository starts a run, whoever pushed", () => {
  const on = ['ci:["CI","Docs"]', "dispatch"];
  const [single, whole] = [parse(singleWorkflow([], DEFAULT_PHRASE, {on})), parse(separatedWorkflow([], {on}))];
  const called = read(".github/workflows/separated.yml");
  const conditions = [single.jobs.assay.if, whole.jobs.admit.if, called.jobs.admit.if];
  const ran = (more: object = {}) => ({
    sender: {type: "Bot"},
    repository: {full_name: "o/r"},
    workflow_run: {
      ...{conclusion: "failure", head_branch: "assay/issue-7", head_repository: {full_name: "o/r"}},
      ...{pull_requests: [{number: 9}], ...more},
    },
  });
  const of = (condition: string, event: object, name = "workflow_run") =>
    value(condition, event, DEFAULT_PHRASE, {}, name);
  for (const condition of conditions) {
    expect(of(condition, ran())).toBe("true");
    for (const other of [{conclusion: "success"}, {head_branch: "main"}, {head_repository: {full_name: "f/r"}}])
      expect(of(condition, ran(other))).toBe("false");
    expect(of(condition, commentBy("User", "/assay fix it"), "issue_comment")).toBe("true");
    expect(of(condition, commentBy("Bot", "/assay fix it"), "issue_comment")).toBe("false");
  }
  for (const [, condition] of CONDITIONS) if (condition !== conditions[2]) expect(of(condition, ran())).toBe("false");
  for (const {group} of [single.jobs.assay.concurrency, whole.concurrency]) {
    const groupOf = (event: object) => of(group.replace(/^assay-\$\{\{|\}\}\s*$/g, ""), event);
    expect(groupOf(ran())).toBe("9");
    expect(groupOf(ran({pull_requests: []}))).toBe("4711");
  }
  expect(single.on.workflow_run).toEqual({workflows: ["CI", "Docs"], types: ["completed"]});
  expect(whole.jobs.work.permissions.actions).toBe("read");
  expect(of(called.jobs.answer.if, ran())).toBe("false");
});

test("a person's push to the default branch starts a run, one at a time", () => {
  const on = ["update:main"];
  const [single, whole] = [parse(singleWorkflow([], DEFAULT_PHRASE, {on})), parse(separatedWorkflow([], {on}))];
  const called = read(".github/workflows/separated.yml");
  const pushed = (ref: string, type = "User") => ({
    ...{ref, sender: {type}, repository: {full_name: "o/r", default_branch: "main"}},
  });
  const of = (condition: string, event: object, name = "push") => value(condition, event, DEFAULT_PHRASE, {}, name);
  for (const condition of [single.jobs.assay.if, whole.jobs.admit.if, called.jobs.admit.if]) {
    expect(of(condition, pushed("refs/heads/main"))).toBe("true");
    for (const other of [
      pushed("refs/heads/assay/issue-7"),
      pushed("refs/tags/main"),
      pushed("refs/heads/main", "Bot"),
    ])
      expect(of(condition, other)).toBe("false");
    expect(of(condition, commentBy("User", "/assay fix it"), "issue_comment")).toBe("true");
  }
  for (const [, condition] of CONDITIONS)
    if (condition !== called.jobs.admit.if) expect(of(condition, pushed("refs/heads/main"))).toBe("false");
  for (const {group} of [single.jobs.assay.concurrency, whole.concurrency, called.concurrency])
    expect(of(group.replace(/^assay-\$\{\{|\}\}\s*$/g, ""), pushed("refs/heads/main"))).toBe("update");
  expect(single.on.push).toEqual({branches: ["main"]});
  expect(parse(callerWorkflow(DEFAULT_PHRASE, on)).jobs.assay.permissions).toEqual(
    parse(callerWorkflow(DEFAULT_PHRASE)).jobs.assay.permissions,
  );
  expect(of(called.jobs.answer.if, pushed("refs/heads/main"))).toBe("false");
});

test("with an empty phrase every comment of a person starts a run, but none of Assay's own", () => {
  const condition = startCondition("").join(" ");
  expect(value(condition, commentBy("User", "make it blue"))).toBe("true");
  const untold = {issue: {number: 7, body: null}, sender: {type: "User"}};
  expect(value(condition, untold)).toBe("false");
  expect(value(condition, commentBy("User", "<!-- assay:run=comment-1 -->\nDone."))).toBe("false");
  expect(value(condition, commentBy("Bot", "make it blue"))).toBe("false");
});

test("the called workflow leaves a phrase of the caller's own to the caller's condition", () => {
  const {jobs} = read(".github/workflows/separated.yml");
  expect(value(jobs.admit.if, commentBy("User", "/fix it"), "/fix")).toBe("true");
  expect(value(jobs.admit.if, commentBy("User", "/fix it"))).toBe("false");
});

test("requests of one issue wait in one line, and chat is never in it", () => {
  for (const path of [".github/workflows/separated.yml", "docs/workflows/separated.yml"]) {
    const {concurrency} = read(path);
    expect(concurrency.queue).toBe("max");
    const [, expression = ""] = /^assay-\$\{\{(.*)\}\}$/s.exec(concurrency.group) ?? [];
    expect(value(expression.trim(), commentBy("User", "/assay fix it"))).toBe("7");
    expect(value(expression.trim(), commentBy("User", "thanks, see a/b"))).toBe("4711");
    expect(value(expression.trim(), commentBy("User", "/stop"))).toBe("4711");
  }
  expect(read("docs/workflows/single.yml").jobs.assay.concurrency).toEqual({
    group: "assay-${{ github.event.issue.number }}",
    queue: "max",
  });
});

test.each([
  ["/fix @bot", true],
  ["", true],
  ["#los", true],
  ["it's", false],
  ['a"b', false],
  ["a\\b", false],
  ["${{ secrets.A }}", false],
])("%j can be a phrase of a workflow: %s", (phrase, expected) => {
  expect(isPlainPhrase(phrase)).toBe(expected);
});
