/** Sends a closed run to the collector of the owner. */
import {sendByProxy} from "../github/fetch.ts";
import {headersIn} from "../secrets/header-secrets.ts";
import {redactRecord} from "../secrets/redact-record.ts";
import type {AdmittedRun} from "./admitted-run.ts";

const PATIENCE_MS = 10_000;

/**
 * Without an address it does nothing, and in a job in which an agent ran: it could have changed what is sent. A failure is
 * only logged, because the run is closed.
 */
export async function exportTelemetry({context, record}: Pick<AdmittedRun, "context" | "record">): Promise<void> {
  const {telemetry, "telemetry-headers": headers, job} = context.inputs;
  if (telemetry === "" || context.withheld !== null || context.signal.aborted) return;
  const closed = redactRecord({record: record.current(), redact: context.redact});
  const hadAgent = job !== "publish" && closed.attempts.some(({turn}) => turn !== null);
  if (hadAgent) return context.log("Telemetry is sent only by separate jobs, because an agent ran in this one.");
  try {
    const {telemetryOf} = await import("../report/telemetry.ts");
    const response = await sendByProxy(telemetry)(telemetry, {
      ...{method: "POST", redirect: "error", signal: AbortSignal.timeout(PATIENCE_MS)},
      headers: {...Object.fromEntries(headersIn(headers)), "content-type": "application/json"},
      body: JSON.stringify(telemetryOf(closed)),
    });
    await response.body?.cancel();
    if (!response.ok) context.log(`Telemetry was not accepted: status ${response.status}.`);
  } catch (error) {
    context.log(`Telemetry could not be sent: ${String(error)}`);
  }
}
