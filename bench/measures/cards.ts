import type { Generator } from '../children.ts'
import { refuseFailures } from '../compare.ts'
import type { LoadRequest } from '../load/requests.ts'
import type { Row } from '../report.ts'
import { type MeasuredShop, openShop } from '../shop.ts'

const FEW = 1_000
const MANY = Number(process.env.BENCH_CARDS ?? 1_000_000)
/** Activations in one shop before the other has its turn, so that a slow disk affects both. */
const IN_TURN = 10
const WARM_UP = 100

/** How much longer an activation at a point of sale takes with many cards. Alternates between two shops. */
export async function measureActivations(generator: Generator): Promise<Row> {
  const shops: MeasuredShop[] = []
  try {
    const tills: Till[] = []
    for (const count of [FEW, MANY]) {
      const shop = await openShop({ titles: 1_000, listeners: 1 })
      shops.push(shop)
      // Spread over all cards, not only the ones printed last.
      const numbers = (await shop.printCards(count)).filter((_, n) => n % Math.floor(count / FEW) === 0)
      tills.push({ shop, numbers, timesMs: [] })
    }
    for (let sold = 0; sold < FEW; sold += IN_TURN)
      for (const till of tills) {
        const found = await sell(generator, till, sold)
        // The first activations are slower.
        if (sold >= WARM_UP) till.timesMs.push(...found)
      }
    const [few, many] = tills.map(({ timesMs }) => timesMs.toSorted((a, b) => a - b))
    const at = (times: readonly number[] | undefined, share: number) =>
      times?.[Math.floor(times.length * share)] ?? Number.NaN
    return {
      what: `an activation among ${MANY.toLocaleString('en-GB')} cards, longer than among ${FEW.toLocaleString('en-GB')}`,
      figures: `95th percentile ${at(many, 0.95).toFixed(1)} ms of ${at(few, 0.95).toFixed(1)} ms, median ${at(many, 0.5).toFixed(1)} of ${at(few, 0.5).toFixed(1)}`,
      value: at(many, 0.95) - at(few, 0.95),
      unit: 'ms',
      goal: { most: 5 },
    }
  } finally {
    await Promise.all(shops.map((shop) => shop.close()))
  }
}

interface Till {
  readonly shop: MeasuredShop
  readonly numbers: readonly string[]
  readonly timesMs: number[]
}

/** Activates each card once, because a card can be sold only once. */
async function sell(
  generator: Generator,
  { shop: { server, stock }, numbers }: Till,
  from: number,
): Promise<readonly number[]> {
  const requests = numbers.slice(from, from + IN_TURN).map((token): LoadRequest => ({
    method: 'POST',
    path: '/api/audiobook-cards/activate',
    headers: stock.till,
    body: JSON.stringify({ token }),
  }))
  const load = { port: server.port, connections: 1, seconds: 60, requests, once: true }
  const found = await generator.run(load)
  refuseFailures(found, load)
  return found.timesMs!
}
