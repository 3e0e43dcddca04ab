import {
  isJoined,
  MEMBER_DISCOUNT,
  type OwnersPlan,
  type PlanId,
  type Plans,
  plansOf,
  TRIAL,
  type Trial,
} from '#contract/plans.ts'
import type { ShopFile } from '#contract/shop-details.ts'
import { PLAN_KEYS, type ShopPlan } from '#contract/shop-terms.ts'

/** In per cent, included in prices. */
export interface VatRates {
  readonly audiobook: number
  readonly ebook: number
  readonly membership: number
}

/** The United Kingdom's rates, unless the owner sets others (docs/product.md, Money). */
export const USUAL_VAT: VatRates = { audiobook: 20, ebook: 0, membership: 20 }
/** The country whose rates apply in countries that the owner does not list. */
const HOME = 'GB'

export interface Terms {
  readonly own: readonly OwnersPlan[] | undefined
  readonly plans: Plans
  readonly trial: Trial
  /** In per cent. */
  readonly memberDiscount: number
  readonly countries: ReadonlySet<string> | undefined
  /** @param day in the shop's time zone, `2026-04-01` */
  readonly vatOn: (country: string, day: string) => VatRates
}

export function termsOf({ plans: said, trial, memberDiscount, countries, vat = {} }: ShopFile): Terms {
  const own = said?.map(ownersPlan)
  const plans = plansOf(own)
  return {
    own,
    plans,
    trial: { plan: trial?.plan ? PLAN_KEYS[trial.plan] : triedIn(plans), days: trial?.days ?? TRIAL.days },
    memberDiscount: memberDiscount ?? MEMBER_DISCOUNT,
    countries: countries && new Set(countries),
    vatOn: (country, day) =>
      (vat[country] ?? vat[HOME] ?? [])
        .filter(({ from }) => from <= day)
        .toSorted((one, two) => one.from.localeCompare(two.from))
        .reduce<VatRates>(changed, USUAL_VAT),
  }
}

const changed = (before: VatRates, { audiobook, ebook, membership }: Partial<VatRates>): VatRates => ({
  audiobook: audiobook ?? before.audiobook,
  ebook: ebook ?? before.ebook,
  membership: membership ?? before.membership,
})

const ownersPlan = ({ key, name, price, freeAudiobooks, texts, sold = true }: ShopPlan): OwnersPlan => ({
  id: PLAN_KEYS[key],
  type: name,
  // Parsed by digits, because 1.15 * 100 is not 115.
  priceMinor: Number(price.replace('.', '')),
  creditsPerMonth: freeAudiobooks,
  ...(texts ? { texts } : {}),
  ...(sold ? {} : { kept: true }),
})

/** The plan of a free trial: the first of these that can be joined, most popular first. */
const TRIED_FIRST: readonly PlanId[] = [TRIAL.plan, 6, 1, 5, 7, 2]
const triedIn = (plans: Plans): PlanId => TRIED_FIRST.find((id) => isJoined(plans[id])) ?? TRIAL.plan
