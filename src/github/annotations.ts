/** Prints annotations for the runner, which shows them at the line of the file and in the summary of the run. */
import {error, warning} from "@actions/core";

export interface RunnerAnnotation {
  readonly level: "error" | "warning";
  readonly title: string;
  readonly message: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** Foreign text in it is escaped, so that it cannot start a workflow command. */
export function annotate({level, title, message, file, line, column}: RunnerAnnotation): void {
  const place = {...(line !== undefined && {startLine: line}), ...(column !== undefined && {startColumn: column})};
  const properties = {title, ...(file !== undefined && {file, ...place})};
  if (level === "error") error(message, properties);
  else warning(message, properties);
}
