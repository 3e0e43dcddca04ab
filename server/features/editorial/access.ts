import { reaches, type Tier } from '#contract/plans.ts'

export type Access = 'open' | 'member' | 'upgrade'

/**
 * For an item's audio, video and link (OP-16); its text is public. A member-only item requires at least
 * `supporter`.
 */
export function accessOf(
  item: { readonly member_only: boolean; readonly minimum_tier: Tier | null },
  tier: Tier | null,
): Access {
  if (!item.member_only) return 'open'
  if (tier === null) return 'member'
  return reaches(tier, item.minimum_tier ?? 'supporter') ? 'open' : 'upgrade'
}
