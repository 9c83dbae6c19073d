/** Ways in which GitHub misbehaves, and which requests they meet. */
import type {ServerResponse} from "node:http";
import type {Lie} from "./graph.ts";

export type Misbehaviour =
  /** an answer of this status, instead of doing what was asked */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly body?: string;
      readonly headers?: Record<string, string>;
    }
  /** a proxy's page instead of an answer, with a good status */
  | {readonly kind: "html"}
  /** no answer at all */
  | {readonly kind: "hang"}
  /** the connection breaks */
  | {readonly kind: "drop"}
  /** it is done, but the answer is a 502 */
  | {readonly kind: "answer-lost"}
  /** something else is done than was asked, and the answer says nothing of it */
  | {readonly kind: "lie"; readonly lie: Lie}
  /** whoever asks is ended by `end`, before or after it is done, and hears nothing */
  | {readonly kind: "end-asker"; readonly isDone: boolean; readonly end: () => void};

export interface Fault {
  readonly method?: string;
  readonly path: RegExp;
  /** 1: the first matching request; the default */
  readonly from?: number;
  /** how many matching requests in a row; the default is 1 */
  readonly times?: number;
  readonly does: Misbehaviour;
}

/** Keeps count per fault, and gives the misbehaviour that meets a request, if any. */
export function makeFaults() {
  const armed: {fault: Fault; seen: number}[] = [];
  return {
    /** Gives what ends it. */
    add(fault: Fault): () => void {
      const one = {fault, seen: 0};
      armed.push(one);
      return () => void armed.splice(armed.indexOf(one), 1);
    },
    meet(method: string, path: string): Misbehaviour | null {
      // each fault counts every request that it could meet, whether or not another one met it
      const matching = armed.filter(({fault}) => (fault.method ?? method) === method && fault.path.test(path));
      for (const one of matching) one.seen += 1;
      const met = matching.find(({fault: {from = 1, times = 1}, seen}) => seen >= from && seen < from + times);
      return met?.fault.does ?? null;
    },
  };
}

/** Misbehaves; gives the status that was answered, 0 for none. */
export function misbehave(does: Exclude<Misbehaviour, {kind: "lie"}>, response: ServerResponse): number {
  switch (does.kind) {
    case "status": {
      const body = does.body ?? JSON.stringify({message: "the rig's fault"});
      response.writeHead(does.status, {"content-type": "application/json", ...does.headers}).end(body);
      return does.status;
    }
    case "html":
      response.writeHead(200, {"content-type": "text/html"}).end("<!doctype html><title>Proxy</title>");
      return 200;
    case "answer-lost":
      response.writeHead(502, {"content-type": "text/html"}).end("<!doctype html><title>Bad gateway</title>");
      return 502;
    case "drop":
      response.destroy();
      return 0;
    case "end-asker":
      does.end();
      return 0;
    case "hang":
      return 0;
  }
}
