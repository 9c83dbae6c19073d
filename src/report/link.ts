/** The links of a report: the only live ones in it. */

/** A link that Assay itself sets. An address of another form is left out rather than made live. */
export function link(text: string, url: string | null): string {
  return url !== null && /^https?:\/\/[\w.:-]+\/[\w./%?=&#~+-]*$/.test(url)
    ? `[${text}](${url})`
    : url === null
      ? ""
      : text;
}
