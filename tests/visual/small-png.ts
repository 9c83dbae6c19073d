/** Makes a screenshot smaller: a PNG with a palette of 256 colours, which text, lines and a few icons hardly exceed. */
import {crc32, deflateSync, inflateSync} from "node:zlib";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const MAX_COLOURS = 256;

/** The format: https://www.w3.org/TR/png-3/ */
export function smallPng(png: Buffer): Buffer {
  const {width, height, colours} = decode(png);
  const palette = paletteOf(colours);
  const nearest = new Map(palette.map((colour, index) => [colour, index]));
  const rows = Buffer.alloc(height * (width + 1));
  for (const [at, colour] of colours.entries()) {
    const index = nearest.get(colour) ?? nearestIndex(colour, palette);
    nearest.set(colour, index);
    // each row begins with the number of its filter, 0
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = index;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap(channels))),
    chunk("IDAT", deflateSync(rows, {level: 9, memLevel: 9})),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Each pixel as 0xRRGGBB. Reads what Chromium writes: 8 bits for each channel, not interlaced. */
export function decode(png: Buffer): {width: number; height: number; colours: Uint32Array} {
  const data: Buffer[] = [];
  let palette: Buffer = Buffer.alloc(0);
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const content = png.subarray(at + 8, at + 8 + length);
    if (type === "PLTE") palette = content;
    if (type === "IDAT") data.push(content);
    at += length + 12;
  }
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const [depth, type, interlace] = [png[24], png[25] ?? -1, png[28]];
  const size = {2: 3, 3: 1, 6: 4}[type];
  if (depth !== 8 || interlace !== 0 || size === undefined) throw new Error("an unknown kind of PNG");
  const bytes = unfilter(inflateSync(Buffer.concat(data)), {stride: width * size, size});
  const colours = new Uint32Array(width * height);
  for (const at of colours.keys())
    colours[at] = type === 3 ? palette.readUIntBE((bytes[at] ?? 0) * 3, 3) : bytes.readUIntBE(at * size, 3);
  return {width, height, colours};
}

/** Undoes the filter of each row. */
function unfilter(filtered: Buffer, {stride, size}: {stride: number; size: number}): Buffer {
  const height = filtered.length / (stride + 1);
  const bytes = Buffer.alloc(height * stride);
  for (let row = 0; row < height; row++) {
    const filter = filtered[row * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x++) {
      const at = row * stride + x;
      const left = x < size ? 0 : (bytes[at - size] ?? 0);
      const up = row === 0 ? 0 : (bytes[at - stride] ?? 0);
      const corner = x < size || row === 0 ? 0 : (bytes[at - stride - size] ?? 0);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      bytes[at] = (filtered[row * (stride + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return bytes;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [fromLeft, fromUp, fromCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (fromLeft <= fromUp && fromLeft <= fromCorner) return left;
  return fromUp <= fromCorner ? up : corner;
}

const channels = (colour: number): [number, number, number] => [colour >> 16, (colour >> 8) & 255, colour & 255];

/** The most frequent colours, at most one of those that look alike. */
function paletteOf(colours: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byCount = [...counts].toSorted(([, one], [, other]) => other - one);
  const shades = new Map<number, number>();
  // five bits of each channel; the first of a shade is its most frequent one
  for (const [colour] of byCount) if (!shades.has(colour & 0xf8f8f8)) shades.set(colour & 0xf8f8f8, colour);
  return [...shades.values()].slice(0, MAX_COLOURS);
}

function nearestIndex(colour: number, palette: readonly number[]): number {
  const wanted = channels(colour);
  const distance = (other: number) =>
    channels(other).reduce((sum, value, index) => sum + (value - (wanted[index] ?? 0)) ** 2, 0);
  return palette.reduce((best, other, index) => (distance(other) < distance(palette[best] ?? 0) ? index : best), 0);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
