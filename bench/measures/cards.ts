import type { Generator } from '../children.ts'
import { median, refuseFailures } from '../compare.ts'
import type { LoadRequest } from '../load/requests.ts'
import type { Row } from '../report.ts'
import type { MeasuredShop } from '../shop.ts'

const FEW = 1_000
const MANY = Number(process.env.BENCH_CARDS ?? 1_000_000)
const SOLD = 200
const ROUNDS = 4

/** How much longer a till waits for an activation where there are many cards. */
export async function measureActivations(
  { server, stock, printCards }: MeasuredShop,
  generator: Generator,
): Promise<Row> {
  const p95 = async (numbers: readonly string[]) => {
    const requests = numbers.map((token): LoadRequest => ({
      method: 'POST',
      path: '/api/audiobook-cards/activate',
      headers: stock.till,
      body: JSON.stringify({ token }),
    }))
    // Each once: a card is sold once.
    const load = { port: server.port, connections: 1, seconds: 60, requests, once: true }
    const found = await generator.run(load)
    refuseFailures(found, load)
    return found.p95Ms
  }
  // Of all that were made, not of those that were made last; a till that has just opened is slower, and warms up.
  const amongAll = async (numbers: readonly string[]) => {
    const step = Math.floor(numbers.length / (SOLD * (ROUNDS + 1)))
    const found: number[] = []
    for (let round = 0; round <= ROUNDS; round += 1) {
      const first = round * SOLD
      found.push(await p95(Array.from({ length: SOLD }, (_, n) => numbers[(first + n) * step]!)))
    }
    return median(found.slice(1))
  }

  const amongFew = await amongAll(await printCards(FEW))
  const amongMany = await amongAll(await printCards(MANY))
  return {
    what: `an activation among ${MANY.toLocaleString('en-GB')} cards, longer than among ${FEW.toLocaleString('en-GB')}`,
    figures: `95th percentile ${amongMany.toFixed(1)} ms of ${amongFew.toFixed(1)} ms`,
    value: amongMany - amongFew,
    unit: 'ms',
    goal: { most: 5 },
  }
}
