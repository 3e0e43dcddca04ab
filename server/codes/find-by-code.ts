import { addressKey, type Limit, limitedLookup } from '../rate-limiting/rate-limit.ts'
import type { Shop } from '../shop.ts'
import { type Candidates, candidatesOf, type CodeKind } from './secrets.ts'

/** Failed lookups from one address, counted for all kinds together: a code does not reveal its kind. */
const UNKNOWN: Limit = { name: 'gift of', most: 10, windowSeconds: 3600 }

interface Typed {
  readonly kind: CodeKind
  readonly given: string
  readonly address: string
}

type Select<Found> = (candidates: Candidates) => Promise<Found | undefined>

/** @throws 429 after too many failed lookups, before looking */
export const findByCode = <Found>(
  shop: Pick<Shop, 'db' | 'config' | 'now'>,
  { kind, ...typed }: Typed,
  select: Select<Found>,
): Promise<Found | undefined> => findByAnyCode(shop, typed, [[kind, select]])

export const findByAnyCode = <Found>(
  { db, config, now }: Pick<Shop, 'db' | 'config' | 'now'>,
  { given, address }: Omit<Typed, 'kind'>,
  among: readonly (readonly [CodeKind, Select<Found>])[],
): Promise<Found | undefined> =>
  limitedLookup(
    db,
    { limit: UNKNOWN, who: addressKey(address), now: now() },
    async () => {
      for (const [kind, select] of among) {
        const found = await select(candidatesOf(config, kind, given))
        if (found !== undefined) return found
      }
      return undefined
    },
    (found) => found === undefined,
  )

const GUESSES = {
  card: {
    ofAddress: { name: 'card code of', most: 10, windowSeconds: 3600 },
    ofAccount: { name: 'card code by', most: 20, windowSeconds: 86_400 },
  },
  // A bookshop's point of sale: its staff mistype while customers queue.
  till: {
    ofAddress: { name: 'card number of', most: 60, windowSeconds: 3600 },
    ofAccount: { name: 'card number by', most: 60, windowSeconds: 3600 },
  },
} satisfies Record<string, { ofAddress: Limit; ofAccount: Limit }>

interface Guesser {
  readonly kind: keyof typeof GUESSES
  readonly address: string
  readonly userId: string | null
}

/** A lookup that was no guess is not counted. @throws 429 beyond the limit of the address or the account */
export const limitedGuess = <Found>(
  { db, now }: Pick<Shop, 'db' | 'now'>,
  { kind, address, userId }: Guesser,
  look: () => Promise<Found>,
  isGuess: (found: Found) => boolean,
): Promise<Found> => {
  const { ofAddress, ofAccount } = GUESSES[kind]
  const within = (limit: Limit, who: string, next: () => Promise<Found>) =>
    limitedLookup(db, { limit, who, now: now() }, next, isGuess)
  const ofThisAddress = () => within(ofAddress, addressKey(address), look)
  return userId === null ? ofThisAddress() : within(ofAccount, userId, ofThisAddress)
}
