import type { Generator } from './children.ts'
import type { Findings, Load } from './load/requests.ts'

const WARM_UP_SECONDS = 1.5
/** Many short rounds: a disturbance of a second affects only a few of them, and is visible in their spread. */
const ROUNDS = 15
const SECONDS = 0.4

export interface Comparison {
  /** Medians over the rounds, in answers per second. */
  readonly ours: number
  readonly reference: number
  readonly ratio: number
  /** The interquartile range of the ratios. */
  readonly spread: readonly [low: number, high: number]
}

interface Sides {
  readonly port: number
  readonly referencePort: number
  readonly referenceLoad?: Partial<Load>
  readonly before?: () => Promise<void>
  /** Fewer and longer rounds, if `before` takes time. */
  readonly rounds?: number
}

/**
 * Measures two servers alternately, A B A B, so that other load on the machine affects both. Both get the same requests
 * over the same number of connections.
 */
export async function compare(
  generator: Generator,
  load: Omit<Load, 'port' | 'seconds'> & { seconds?: number },
  { port, referencePort, referenceLoad, before, rounds = ROUNDS }: Sides,
): Promise<Comparison> {
  const ours: Load = { seconds: SECONDS, ...load, port }
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
  const ratios = rates.ours.map((rate, round) => rate / rates.reference[round]!)
  return {
    ours: median(rates.ours),
    reference: median(rates.reference),
    ratio: median(ratios),
    spread: quartiles(ratios),
  }
}

/** @throws if a server refused a request, because refusals are fast and falsify the figure */
export function refuseFailures({ answers, refused }: Findings, { requests }: Load): void {
  if (answers === 0 || Object.keys(refused).length > 0)
    throw new Error(`${requests[0]?.path}: ${answers} answers, refused ${JSON.stringify(refused)}`)
}

export const quartiles = (values: readonly number[]): readonly [low: number, high: number] => [
  quantile(values, 0.25),
  quantile(values, 0.75),
]

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.round((values.length - 1) * share)]!

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
