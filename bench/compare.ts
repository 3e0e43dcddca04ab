import type { Generator } from './children.ts'
import type { Findings, Load } from './load/requests.ts'

const WARM_UP_SECONDS = 1.5
const ROUNDS = 5

export interface Comparison {
  /** Medians of the rounds, in answers a second. */
  readonly ours: number
  readonly reference: number
  readonly ratio: number
}

interface Sides {
  readonly port: number
  readonly referencePort: number
  /** Where the reference is asked something else. */
  readonly referenceLoad?: Partial<Load>
  /** Done before each of our turns. */
  readonly before?: () => Promise<void>
  /** More of them where two things are nearly the same. */
  readonly rounds?: number
}

/**
 * Measures two servers in turn, A B A B, so that whatever else the machine does falls on both; the same
 * requests over the same number of connections.
 */
export async function compare(
  generator: Generator,
  load: Omit<Load, 'port' | 'seconds'> & { seconds?: number },
  { port, referencePort, referenceLoad, before, rounds = ROUNDS }: Sides,
): Promise<Comparison> {
  const ours: Load = { seconds: 1, ...load, port }
  const reference: Load = { ...ours, ...referenceLoad, port: referencePort }
  const rates = { ours: [] as number[], reference: [] as number[] }
  for (let round = 0; round <= rounds; round++)
    for (const [name, each] of [
      ['ours', ours],
      ['reference', reference],
    ] as const) {
      const warming = round === 0
      if (name === 'ours') await before?.()
      const found = await generator.run(warming ? { ...each, seconds: WARM_UP_SECONDS } : each)
      refuseFailures(found, each)
      if (!warming) rates[name].push(found.perSecond)
    }
  const [a, b] = [median(rates.ours), median(rates.reference)]
  return { ours: a, reference: b, ratio: a / b }
}

/** A server that refuses is quick: such a figure would be worth nothing. */
export function refuseFailures({ answers, refused }: Findings, { requests }: Load): void {
  if (answers === 0 || Object.keys(refused).length > 0)
    throw new Error(`${requests[0]?.path}: ${answers} answers, refused ${JSON.stringify(refused)}`)
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
