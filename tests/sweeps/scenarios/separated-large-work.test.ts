/** More than 128 MB of work that cannot be compressed: the next job takes what the search for secrets took. */
import {randomBytes} from "node:crypto";
import {mkdir, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {expect, test} from "vitest";
import {makeCandidate} from "../../../src/changes/candidate.ts";
import {packBundle, unpackWork} from "../../../src/handover/bundle.ts";
import {scan} from "../../../src/publish/scan.ts";
import {makePlace, openBot, TOKEN, value} from "../../integration/changes/place.ts";
import {record} from "../../unit/report/records.ts";

const FILES = 10;
const BYTES = 14_000_000;

test("140 MB of work are searched, handed over and received", async () => {
  await using place = await makePlace({files: {"a.txt": "a\n"}});
  const {repository, base, url} = place;
  const work = join(place.folder, "work");
  value(await repository.checkOut({commit: base, folder: work}));
  await mkdir(join(work, "data"));
  for (let count = 0; count < FILES; count += 1)
    await writeFile(join(work, "data", `${count}.bin`), randomBytes(BYTES));
  const {candidate} = value(await makeCandidate({repository, folder: work, base}));
  const found = await scan({repository, candidate, find: () => [], isExample: () => false});
  expect(found).toMatchObject({ok: true, value: {unsearched: []}});
  const folder = join(place.folder, "bundle");
  value(await packBundle({folder, record: record(), session: "", work: {repository, candidate}}));
  const receiver = value(await openBot({folder: join(place.folder, "receiver"), url, token: TOKEN}));
  value(await receiver.fetch(base));
  expect(value(await unpackWork({folder, repository: receiver, base}))).toMatchObject({candidate});
}, 900_000);
