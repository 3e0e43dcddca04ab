import { reading } from '../../command.ts'

const USAGE = `Usage: npm run outlets -- add --name NAME --email ADDRESS [--slug SLUG] [--discount 60] [--commission 10]
       npm run outlets -- list
       npm run outlets -- close SLUG

add    opens a bookshop that sells cards, with an account for its desk. Its staff choose the password at /forgot-password
close  ends it: it sells no more, its last statement is made at once, and the cards it sold stay good

  --discount    what a card costs it less than its price, in per cent
  --commission  what it earns of its readers' later purchases, in per cent, without VAT`

export type Asked =
  | {
      readonly verb: 'add'
      readonly name: string
      readonly email: string
      readonly slug: string
      readonly discountPercent: number
      readonly commissionPercent: number
    }
  | { readonly verb: 'list' }
  | { readonly verb: 'close'; readonly slug: string }

/** What the owner asks for, or what is wrong with it. */
export const read = reading(
  USAGE,
  {
    name: { type: 'string' },
    email: { type: 'string' },
    slug: { type: 'string' },
    discount: { type: 'string', default: '60' },
    commission: { type: 'string', default: '10' },
  },
  ({ values, positionals }): Asked | string => {
    const [verb, closing, ...more] = positionals
    const { name, email, discount, commission } = values
    if (more.length > 0) return USAGE
    if (verb === 'close' && closing !== undefined) return { verb, slug: closing }
    if (closing !== undefined) return USAGE
    if (verb === 'list') return { verb }
    if (verb !== 'add' || name === undefined || email === undefined) return USAGE
    for (const share of [discount, commission])
      if (!/^\d{1,2}$|^100$/.test(share)) return `A share is a whole number from 0 to 100, not “${share}”.`
    const slug = values.slug ?? slugOf(name)
    if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug))
      return `A bookshop’s slug is small letters, figures and hyphens, not “${slug}”. Name one with --slug.`
    return {
      verb,
      name,
      email,
      slug,
      discountPercent: Number(discount),
      commissionPercent: Number(commission),
    }
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
