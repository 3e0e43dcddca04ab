import { addressKey, type Limit, lookWithin } from '../guards/rate-limit.ts'
import type { Shop } from '../shop.ts'
import { type Candidates, candidatesOf, type CodeKind } from './secrets.ts'

/** Codes and tokens that open nothing, from one address. */
const UNKNOWN: Record<CodeKind, Limit> = { gift: { name: 'gift of', most: 10, windowSeconds: 3600 } }

interface Typed {
  readonly kind: CodeKind
  readonly given: string
  readonly address: string
}

/** Looks for what a code or a link's token opens. Throws 429 after too many that opened nothing, before it looks. */
export const findByCode = <Found>(
  { db, config, now }: Pick<Shop, 'db' | 'config' | 'now'>,
  { kind, given, address }: Typed,
  select: (candidates: Candidates) => Promise<Found | undefined>,
): Promise<Found | undefined> =>
  lookWithin(
    db,
    { limit: UNKNOWN[kind], who: addressKey(address), now: now() },
    () => select(candidatesOf(config, kind, given)),
    (found) => found === undefined,
  )
