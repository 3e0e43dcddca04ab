import type { TSchema } from 'typebox'
import type { Missing } from '#contract/office/documents.ts'
import type { RealTime } from '../../clock.ts'
import type { Db, Transaction } from '../../db/open.ts'
import type { OwnersDetails } from '../../settings/owners-details.ts'
import type { Shop } from '../../shop.ts'

export interface Shown<Content> {
  readonly content: Content
  /** False for content that is stored but not public. */
  readonly isShown: boolean
  /** Nothing is stored: an editor begins with this. */
  readonly isProposal?: boolean
}

/** How the documents of one kind are stored as the shop shows them. Their drafts are in `documents`. */
export interface DocumentType<Content> {
  readonly schema: TSchema
  /** @param details for the home page of a shop that has not arranged its own */
  read(db: Db, key: string, details?: OwnersDetails): Promise<Shown<Content> | undefined>
  write(db: Db, key: string, content: Content, at: RealTime): Promise<void>
  /** Takes it from the shop. Kinds that exist once have none. */
  remove?(db: Db, key: string): Promise<void>
  /** What a publication or a removal changes elsewhere, in the same transaction. */
  follow?(tx: Transaction, shop: Pick<Shop, 'clock' | 'config' | 'now'>): Promise<void>
  /** What keeps it from being published. */
  missing(db: Db, content: Content): Promise<Missing[]>
  titleOf(content: Content, key: string): string
  addressOf(key: string): string
}

/** Excludes `javascript:` and other active schemes. */
export const isAddress = (text: string): boolean => /^(https?:\/\/|mailto:|\/(?!\/))/.test(text)

export const isBlank = (text: string | null): boolean => (text ?? '').trim() === ''
