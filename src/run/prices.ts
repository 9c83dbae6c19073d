/** Gives calls to models a cost by the prices of the configuration, where no other cost is known. */
import type {Config} from "../detect/config/config.ts";
import type {Usage} from "../record/usage.ts";

type Price = Config["prices"][string];

/** The price of the first of these names; the last part of `provider/model` is also a name. */
export function priceOf(prices: Config["prices"], ...models: readonly string[]): Price | null {
  const names = models.flatMap((model) => [model, model.split("/").at(-1) ?? ""]);
  const name = names.find((one) => Object.hasOwn(prices, one));
  return name === undefined ? null : (prices[name] ?? null);
}

/** Without a price, tokens that cost nothing have an unknown cost: agents report 0 for models that they do not know. */
export function withPrice(usage: Usage, price: Price | null): Usage {
  const {hasUnknownCost, ...counted} = usage;
  const {input, output, cacheRead, cacheWrite, costUsd} = counted;
  const read = input + cacheRead + cacheWrite;
  const isKnown = !hasUnknownCost && (costUsd > 0 || read + output === 0);
  if (isKnown) return usage;
  if (price === null || read + output === 0) return {...counted, hasUnknownCost: true};
  return {...counted, costUsd: Math.max(costUsd, (read * price.input + output * price.output) / 1_000_000)};
}
