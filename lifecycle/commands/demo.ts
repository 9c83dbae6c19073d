/** `assay demo`: not wired yet. */
export async function demoCommand(_o: {report: string}): Promise<number> {
  throw new Error("wired in the next commit");
}
