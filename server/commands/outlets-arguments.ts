import { reading } from './run-command.ts'
import type { Change } from '../features/outlets/manage-outlet.ts'

const USAGE = `Usage: npm run outlets -- add --name NAME --email ADDRESS [--slug SLUG] [--discount 60] [--commission 10]
       npm run outlets -- list
       npm run outlets -- change SLUG [--discount 55] [--commission 5] [--email ADDRESS]
       npm run outlets -- close SLUG

add     creates a bookshop that sells cards, with an account for its staff, who choose a password at /forgot-password
change  changes its terms for the next cards and purchases, or the address of its account, which then needs a new password.
        Existing statements don’t change
close   closes it: it can’t sell cards any more, its last statement is created at once, and the cards it sold stay valid

  --discount    the bookshop’s discount on the price of a card, in per cent
  --commission  its share of its readers’ later purchases, in per cent, without VAT`

export type OutletsCommand =
  | {
      readonly verb: 'add'
      readonly name: string
      readonly email: string
      readonly slug: string
      readonly discountPercent: number
      readonly commissionPercent: number
    }
  | { readonly verb: 'list' }
  | ({ readonly verb: 'change' } & Change)
  | { readonly verb: 'close'; readonly slug: string }

const USUAL = { discountPercent: 60, commissionPercent: 10 }

export const read = reading(
  USAGE,
  {
    name: { type: 'string' },
    email: { type: 'string' },
    slug: { type: 'string' },
    discount: { type: 'string' },
    commission: { type: 'string' },
  },
  ({ values, positionals }): OutletsCommand | string => {
    const [verb, known, ...more] = positionals
    const { name, email, discount, commission } = values
    if (more.length > 0) return USAGE
    for (const share of [discount, commission])
      if (share !== undefined && !/^\d{1,2}$|^100$/.test(share))
        return `A share is a whole number from 0 to 100, not “${share}”.`
    const terms = {
      ...(discount === undefined ? {} : { discountPercent: Number(discount) }),
      ...(commission === undefined ? {} : { commissionPercent: Number(commission) }),
    }
    if (verb === 'close' && known !== undefined) return { verb, slug: known }
    if (verb === 'change' && known !== undefined) {
      const change = { ...terms, ...(email === undefined ? {} : { email }) }
      return Object.keys(change).length > 0 ? { verb, slug: known, ...change } : USAGE
    }
    if (known !== undefined) return USAGE
    if (verb === 'list') return { verb }
    if (verb !== 'add' || name === undefined || email === undefined) return USAGE
    const slug = values.slug ?? slugOf(name)
    if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug))
      return `A bookshop’s slug is small letters, figures and hyphens, not “${slug}”. Name one with --slug.`
    return { verb, name, email, slug, ...USUAL, ...terms }
  },
)

/** `Maddern’s & Söhne` → `madderns-sohne`. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}'’]/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
