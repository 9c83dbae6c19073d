/** The services of CI for the jobs that run stages. */
import {stringify} from "yaml";
import type {CiService} from "../../detect/ci/services.ts";
import {indent} from "./workflow-parts.ts";

/** Lines of a job. A service with expressions, such as secrets or a matrix, is only named in a comment. */
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
