/** The ordered list of ecosystems; earlier ones win where two drafts of equal evidence run the same thing. */
import type {Ecosystem} from "../ecosystem.ts";
import {cCpp} from "./c-cpp.ts";
import {dotnet} from "./dotnet.ts";
import {elixir} from "./elixir.ts";
import {go} from "./go.ts";
import {gradle} from "./gradle.ts";
import {javaMaven} from "./java-maven.ts";
import {make} from "./make.ts";
import {node} from "./node.ts";
import {php} from "./php.ts";
import {python} from "./python.ts";
import {ruby} from "./ruby.ts";
import {rust} from "./rust.ts";
import {swift} from "./swift.ts";

export const ECOSYSTEMS: readonly Ecosystem[] = [
  node,
  python,
  rust,
  go,
  javaMaven,
  gradle,
  dotnet,
  ruby,
  php,
  cCpp,
  elixir,
  swift,
  make,
];
