import type { PlanId } from '#contract/plans.ts'

interface GiftDetails {
  readonly firstName: string | null
  /** `2026-12-25`; null for at once. */
  readonly day: string | null
  /** `Europe/London` */
  readonly zone: string
  readonly christmas: boolean
}

/** The kinds of products. Behaviour that depends on the kind is in `product.ts`, storage in `line-columns.ts`. */
export type Sold =
  | { readonly kind: 'title'; readonly bookId: number; readonly format: Format }
  | { readonly kind: 'membership'; readonly plan: number }
  | ({ readonly kind: 'membership_gift'; readonly plan: PlanId } & GiftDetails)

export type Format = 'audio_book' | 'e_book'
export type Kind = Sold['kind']
export type SoldOf<K extends Kind> = Extract<Sold, { readonly kind: K }>
