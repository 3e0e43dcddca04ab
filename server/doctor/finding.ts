import type { Config } from '../settings/config.ts'
import type { Database, OpenDatabase } from '../db/open.ts'
import type { MediaStore } from '../integrations/media/media-store.ts'
import type { Provider } from '../integrations/stripe/provider.ts'

/**
 * One line of the doctor: `fine` needs no action, `look` should be known, `broken` must be fixed. The text says how.
 */
export interface Finding {
  readonly state: 'fine' | 'look' | 'broken'
  readonly says: string
}

export const fine = (says: string): Finding => ({ state: 'fine', says })
export const look = (says: string): Finding => ({ state: 'look', says })
export const broken = (says: string): Finding => ({ state: 'broken', says })

/** `1 mail waits`, `2 mails wait`. */
export const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`

/** A check that only needs the settings, so it also runs before each start. */
export type QuickCheck = (config: Config) => Finding | Promise<Finding>

export interface Examined extends Provider {
  readonly config: Config
  readonly db: Database
  readonly pool: OpenDatabase['pool']
  readonly kind: OpenDatabase['kind']
  readonly media: MediaStore
  readonly now: () => Date
  /** Include slow checks, which read whole files. */
  readonly isDeep: boolean
}

export type Check = (shop: Examined) => Promise<Finding>

export interface Named extends Finding {
  readonly name: string
}

/** A check that throws becomes a finding and does not stop the others. */
export async function* findings<Given>(
  checks: Readonly<Record<string, (given: Given) => Finding | Promise<Finding>>>,
  given: Given,
): AsyncGenerator<Named> {
  for (const [name, check] of Object.entries(checks))
    try {
      yield { name, ...(await check(given)) }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      yield { name, ...broken(`This could not be looked at: ${reason}`) }
    }
}

export const lineOf = ({ state, name, says }: Named): string =>
  `${state.padEnd(7)} ${name.padEnd(12)} ${says}`
