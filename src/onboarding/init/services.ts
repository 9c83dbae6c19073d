/** The services of CI for the jobs that run stages. */
import {stringify} from "yaml";
import type {CiService} from "../../detect/ci/services.ts";
import {indent} from "./workflow-parts.ts";

/**
 * The services as YAML lines for a job. A service that uses expressions, such as secrets or a matrix, becomes a comment
 * that names it.
 */
export function serviceLines(services: readonly CiService[]): string[] {
  const isPlain = ({definition}: CiService) => !JSON.stringify(definition).includes("${{");
  const plainServices = services.filter(isPlain);
  const otherServices = services.filter((service) => !isPlain(service));
  const text = stringify(Object.fromEntries(plainServices.map(({name, definition}) => [name, definition])), {
    lineWidth: 0,
  });
  return [
    ...otherServices.map(
      ({name, file}) =>
        `# CI also starts ${JSON.stringify(name)} (${file}). Add it yourself, because its definition has expressions.`,
    ),
    ...(plainServices.length === 0 ? [] : ["services:", ...indent(2, text.trimEnd().split("\n"))]),
  ];
}
