import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { IANAZone } from 'luxon'
import { ShopFile } from '#contract/shop-details.ts'
import { jsonChecker, linesByPointer, nearest } from '../../settings/check-json.ts'
import { faintOf } from '../../settings/owners-colours.ts'
import {
  impossible,
  type OwnersPicture,
  type Said,
  SHOP_FILE,
  versionOf,
} from '../../settings/owners-details.ts'
import { errorCode } from '../../log/error-code.ts'
import { iconsOf, logoOf, PictureRefused } from './pictures.ts'
import { isJoined } from '#contract/plans.ts'
import { PLAN_KEYS } from '#contract/shop-terms.ts'
import { LEAST_CHARGE_MINOR } from '../../integrations/stripe/payments.ts'
import { countryInWords, isCountry } from '../../settings/country-codes.ts'
import { termsOf } from '../../settings/owners-terms.ts'

type ReadFile =
  | {
      readonly said: Said
      readonly writtenAt: Date
      /** By JSON path. */
      readonly lines: ReadonlyMap<string, number>
    }
  | { readonly mistakes: readonly string[] }

const check = jsonChecker(ShopFile)

export async function readShopFile(folder: string): Promise<ReadFile | undefined> {
  const path = join(folder, SHOP_FILE)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const read = checkShopFile(text)
  if ('mistakes' in read) return read
  const { file } = read
  const mistakes: string[] = []
  const pictures: Record<string, OwnersPicture> = {}
  const versions = [text]
  let writtenAt = (await stat(path)).mtime
  const line = linesByPointer(text.replace(/^\uFEFF/, ''))
  const take = async (
    key: 'logo' | 'icon',
    make: (bytes: Buffer) => Promise<Record<string, OwnersPicture>>,
  ) => {
    const name = file[key]
    if (!name) return
    try {
      const bytes = await readFile(join(folder, name))
      const { mtime } = await stat(join(folder, name))
      if (mtime > writtenAt) writtenAt = mtime
      versions.push(versionOf(bytes))
      Object.assign(pictures, await make(bytes))
    } catch (error) {
      const why =
        error instanceof PictureRefused
          ? error.message
          : errorCode(error) === 'ENOENT'
            ? 'is not there: put it beside shop.json'
            : undefined
      if (!why) throw error
      mistakes.push(`line ${line.get(`/${key}`) ?? 1}: ${name} ${why}.`)
    }
  }
  await take('logo', async (bytes) => ({ logo: await logoOf(bytes) }))
  await take('icon', async (bytes) => iconsOf(bytes, file))
  if (mistakes.length > 0) return { mistakes }
  if (!file.icon) Object.assign(pictures, await iconsOf(undefined, file))
  return { said: { file, pictures, version: versionOf(versions.join('\n')) }, writtenAt, lines: line }
}

/** Without the pictures. */
export function checkShopFile(
  given: string,
): { readonly file: ShopFile } | { readonly mistakes: readonly string[] } {
  const text = given.replace(/^\uFEFF/, '')
  const read = check(text)
  if ('mistakes' in read) return read
  const file = read.value
  const lines = linesByPointer(text)
  const mistakes = [
    ...(file.zone !== undefined && !IANAZone.isValidZone(file.zone)
      ? [`line ${lines.get('/zone') ?? 1}: "zone" must be the name of a time zone such as "Europe/London".`]
      : []),
    ...(impossible(file) ? [`line ${lines.get('/parts') ?? 1}: ${impossible(file)}`] : []),
    ...(file.colours ? faintOf(file.colours) : []).map(
      ({ which, says, nearest }) =>
        `line ${lines.get(`/colours/${which}`) ?? lines.get('/colours') ?? 1}: the colour "${which}" is hard to read: ${says}. The nearest that passes is "${nearest}".`,
    ),
    ...mistakesInTerms(file).map(({ at, says }) => `line ${lines.get(at) ?? 1}: ${says}`),
  ]
  return mistakes.length > 0 ? { mistakes } : { file }
}

/** `at` is the path in the file. */
function mistakesInTerms(file: ShopFile): { readonly at: string; readonly says: string }[] {
  return [...planMistakes(file), ...trialMistakes(file), ...vatMistakes(file), ...countryMistakes(file)]
}

type Mistakes = ReturnType<typeof mistakesInTerms>

const planMistakes = ({ plans = [] }: ShopFile): Mistakes =>
  plans.flatMap(({ key, price }, place) => [
    ...(plans.findIndex((other) => other.key === key) < place
      ? [{ at: `/plans/${place}/key`, says: `the plan "${key}" is there already.` }]
      : []),
    // The payment provider cannot charge less.
    ...(Number(price.replace('.', '')) < LEAST_CHARGE_MINOR
      ? [{ at: `/plans/${place}/price`, says: `a plan costs at least "0.${LEAST_CHARGE_MINOR}".` }]
      : []),
  ])

function trialMistakes(file: ShopFile): Mistakes {
  const { plan } = file.trial ?? {}
  return plan && !isJoined(termsOf(file).plans[PLAN_KEYS[plan]])
    ? [{ at: '/trial/plan', says: `nobody can join the plan "${plan}", so nobody can try it.` }]
    : []
}

const vatMistakes = ({ vat = {} }: ShopFile): Mistakes =>
  Object.entries(vat).flatMap(([country, rates]) => [
    ...unknownFields(country, `/vat/${country}`),
    ...rates.flatMap(({ from }, place) => {
      const at = `/vat/${country}/${place}/from`
      if (!isDate(from)) return [{ at, says: `"${from}" is no day.` }]
      return rates.findIndex((other) => other.from === from) < place
        ? [{ at, says: `rates from "${from}" are there already.` }]
        : []
    }),
  ])

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

const countryMistakes = ({ countries = [] }: ShopFile): Mistakes =>
  countries.flatMap((country, place) => unknownFields(country, `/countries/${place}`))

/** The hint is for a country's name or another abbreviation. */
function unknownFields(code: string, at: string): Mistakes {
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
