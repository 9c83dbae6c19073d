/** The services of CI for the jobs that run stages. */
import {stringify} from "yaml";
import type {CiService} from "../../detect/ci/services.ts";
import {indent} from "./workflow-parts.ts";

/** Lines of a job; what has expressions, such as secrets or a matrix, is named in a comment for its owner. */
export function serviceLines(services: readonly CiService[]): string[] {
  const isPlain = ({definition}: CiService) => !JSON.stringify(definition).includes("${{");
  const plain = services.filter(isPlain);
  const others = services.filter((service) => !isPlain(service));
  const text = stringify(Object.fromEntries(plain.map(({name, definition}) => [name, definition])), {lineWidth: 0});
  return [
    ...others.map(
      ({name, file}) => `# CI starts ${JSON.stringify(name)}, too (${file}): its definition has expressions.`,
    ),
    ...(plain.length === 0 ? [] : ["services:", ...indent(2, text.trimEnd().split("\n"))]),
  ];
}
