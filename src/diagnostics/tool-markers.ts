/** Looks for many fixed strings in one pass, so that only the rules of tools whose output is in the log are tried. */

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Takes the strings once; gives a function from lines to the strings that they contain. Linear in the lines. */
export function markerFinder(markers: readonly string[]): (lines: readonly string[]) => Set<string> {
  // The engine's own search for many strings takes a quarter of the time of a loop over the characters.
  const source = markers.map(escaped).join("|");
  const startingWith = new Map<string, string[]>();
  for (const marker of new Set(markers)) {
    const sameStart = startingWith.get(marker.charAt(0));
    if (sameStart === undefined) startingWith.set(marker.charAt(0), [marker]);
    else sameStart.push(marker);
  }
  return (lines) => {
    const foundMarkers = new Set<string>();
    const anyMarker = new RegExp(source, "g");
    for (const line of lines) {
      for (let match = anyMarker.exec(line); match !== null; match = anyMarker.exec(line)) {
        // What fits first hides the others that begin at the same place, and those that lie inside of it.
        for (const marker of startingWith.get(line.charAt(match.index)) ?? []) {
          if (line.startsWith(marker, match.index)) foundMarkers.add(marker);
        }
        anyMarker.lastIndex = match.index + 1;
      }
    }
    return foundMarkers;
  };
}
