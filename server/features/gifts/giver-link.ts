import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../settings/config.ts'
import { keysFor } from '../../settings/keys.ts'

export interface LinkedGift {
  readonly kind: 'book' | 'membership'
  readonly id: string
}

/** How the giver is authenticated: by their account, or by the link in the giver's emails. */
export type Giver = { readonly userId: string } | 'link'

type Keys = Pick<Config, 'appKeys'>

const LETTERS = { b: 'book', m: 'membership' } as const

/**
 * The token of the link in a giver's emails: it gives access to this one gift without a log-in. It is derived from a
 * key, so every email about the gift has the same token and nothing is stored.
 */
export const giverToken = (config: Keys, gift: LinkedGift): string =>
  `${gift.kind === 'book' ? 'b' : 'm'}${gift.id.replaceAll('-', '')}${seal(keysFor(config, 'giver-link')[0], gift)}`

/** The gift of a token; undefined for a token that this shop did not create. */
export function giftOfToken(config: Keys, token: string): LinkedGift | undefined {
  const [, letter, hex, given] = /^([bm])([0-9a-f]{32})([\w-]{43})$/.exec(token) ?? []
  if (!letter || !hex || !given) return undefined
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const gift = { kind: letter === 'b' ? LETTERS.b : LETTERS.m, id }
  const isOurs = keysFor(config, 'giver-link').some((key) =>
    timingSafeEqual(Buffer.from(seal(key, gift)), Buffer.from(given)),
  )
  return isOurs ? gift : undefined
}

const seal = (key: Buffer, { kind, id }: LinkedGift): string =>
  createHmac('sha256', key).update(`${kind} ${id}`).digest('base64url')
