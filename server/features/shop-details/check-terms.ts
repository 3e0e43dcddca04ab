import { isJoined } from '#contract/plans.ts'
import type { ShopFile } from '#contract/shop-details.ts'
import { PLAN_KEYS } from '#contract/shop-terms.ts'
import { LEAST_CHARGE_MINOR } from '../../integrations/stripe/payments.ts'
import { countryInWords, isCountry } from '../../settings/country-codes.ts'
import { nearest } from '../../settings/nearest.ts'
import { termsOf } from '../../settings/owners-terms.ts'

/** `at` is the path in the file. */
export function mistakesInTerms(file: ShopFile): { readonly at: string; readonly says: string }[] {
  return [...ofPlans(file), ...ofTrial(file), ...ofVat(file), ...ofCountries(file)]
}

type Mistakes = ReturnType<typeof mistakesInTerms>

const ofPlans = ({ plans = [] }: ShopFile): Mistakes =>
  plans.flatMap(({ key, price }, place) => [
    ...(plans.findIndex((other) => other.key === key) < place
      ? [{ at: `/plans/${place}/key`, says: `the plan "${key}" is there already.` }]
      : []),
    // The payment provider cannot charge less.
    ...(Number(price.replace('.', '')) < LEAST_CHARGE_MINOR
      ? [{ at: `/plans/${place}/price`, says: `a plan costs at least "0.${LEAST_CHARGE_MINOR}".` }]
      : []),
  ])

function ofTrial(file: ShopFile): Mistakes {
  const { plan } = file.trial ?? {}
  return plan && !isJoined(termsOf(file).plans[PLAN_KEYS[plan]])
    ? [{ at: '/trial/plan', says: `nobody can join the plan "${plan}", so nobody can try it.` }]
    : []
}

const ofVat = ({ vat = {} }: ShopFile): Mistakes =>
  Object.entries(vat).flatMap(([country, rates]) => [
    ...unknown(country, `/vat/${country}`),
    ...rates.flatMap(({ from }, place) => {
      const at = `/vat/${country}/${place}/from`
      if (!isDay(from)) return [{ at, says: `"${from}" is no day.` }]
      return rates.findIndex((other) => other.from === from) < place
        ? [{ at, says: `rates from "${from}" are there already.` }]
        : []
    }),
  ])

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

const ofCountries = ({ countries = [] }: ShopFile): Mistakes =>
  countries.flatMap((country, place) => unknown(country, `/countries/${place}`))

/** The hint is for a country's name or another abbreviation. */
function unknown(code: string, at: string): Mistakes {
  if (isCountry(code)) return []
  const meant = SPELT_OTHERWISE[code.toUpperCase()] ?? namedLike(code)
  const hint = meant ? `; did you mean "${meant}" (${countryInWords(meant)})?` : ', like "GB".'
  return [{ at, says: `"${code}" is not a country code${hint}` }]
}

const SPELT_OTHERWISE: Readonly<Record<string, string>> = { UK: 'GB', EN: 'GB', EL: 'GR' }

function namedLike(given: string): string | undefined {
  if (isCountry(given.toUpperCase())) return given.toUpperCase()
  if (given.length < 4) return undefined
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  const all = letters.flatMap((one) => letters.map((two) => one + two)).filter(isCountry)
  const name = nearest(given, all.map(countryInWords))
  return all.find((code) => countryInWords(code) === name)
}
