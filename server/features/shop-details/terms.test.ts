import { expect, test } from 'vitest'
import { PLANS } from '#contract/plans.ts'
import { isCountry } from '#server/settings/country-codes.ts'
import { termsOf, USUAL_VAT } from '#server/settings/owners-terms.ts'
import { COUNTRIES } from '../../../src/format/countries.ts'
import { checkShopFile } from './read-file.ts'

/** The mistakes in a file with these lines from line 2 on. */
const mistakesIn = (...lines: string[]) => {
  const read = checkShopFile(['{ "name": "H",', ...lines, '}'].join('\n'))
  return 'mistakes' in read ? read.mistakes : []
}
const plan = (more: object = {}) =>
  JSON.stringify({ key: 'reader-month', name: 'Deckhand', price: '7.99', freeAudiobooks: 1, ...more })

test('refuses mistakes in a plan with their line, in plain words', () => {
  expect(mistakesIn('"plans": [', plan(), ']')).toEqual([])
  for (const price of ['7.9', '£7.99', '7,99', '-1.00', '07.99'])
    expect(mistakesIn('"plans": [', plan({ price }), ']')).toEqual([
      'line 3: "plans.0.price" must be pounds and pence in quotes, like "7.99".',
    ])
  expect(mistakesIn('"plans": [', plan({ price: 7.99 }), ']')[0]).toMatch(/^line 3: .*like "7\.99"\.$/)
  expect(mistakesIn('"plans": [', plan({ price: '0.29' }), ']')).toEqual([
    'line 3: a plan costs at least "0.30".',
  ])
  expect(mistakesIn('"plans": [', plan({ name: undefined }), ']')).toEqual([
    'line 3: "plans.0" needs "name".',
  ])
  expect(mistakesIn('"plans": [', `${plan()},`, plan({ price: '9.00' }), ']')).toEqual([
    'line 4: the plan "reader-month" is there already.',
  ])
  expect(mistakesIn('"plans": [', plan({ key: 'reader-week' }), ']')[0]).toMatch(
    /^line 3: "plans\.0\.key" must be one of "supporter-month", /,
  )
  expect(mistakesIn('"plans": [', plan(), '],', '"trial": { "days": 14, "plan": "avid-year" }')).toEqual([
    'line 5: nobody can join the plan "avid-year", so nobody can try it.',
  ])
  expect(mistakesIn('"memberDiscount": 91')).toEqual([
    'line 2: "memberDiscount" must be a whole number from 0 to 90.',
  ])
})

test('refuses invalid rates and countries with their line, and suggests the probable ones', () => {
  expect(mistakesIn('"vat": { "GB": [', '{ "from": "2026-04-01", "audiobook": 101 }', '] }')).toEqual([
    'line 3: "vat.GB.0.audiobook" must be a whole number from 0 to 100.',
  ])
  expect(mistakesIn('"vat": { "GB": [', '{ "from": "2026-02-30" }', '] }')).toEqual([
    'line 3: "2026-02-30" is no day.',
  ])
  const twice = '{ "from": "2026-04-01" }'
  expect(mistakesIn('"vat": { "IE": [', `${twice},`, twice, '] }')).toEqual([
    'line 4: rates from "2026-04-01" are there already.',
  ])
  expect(mistakesIn('"vat": {', '"UK": [{ "from": "2026-04-01" }]', '}')).toEqual([
    'line 3: "UK" is not a country code; did you mean "GB" (United Kingdom)?',
  ])
  expect(mistakesIn('"countries": [', '"GB",', '"Irland",', '"XX"', ']')).toEqual([
    'line 4: "Irland" is not a country code; did you mean "IE" (Ireland)?',
    'line 5: "XX" is not a country code, like "GB".',
  ])
  const listed = COUNTRIES.map(({ code }) => code)
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  const known = letters.flatMap((one) => letters.map((two) => one + two)).filter(isCountry)
  expect(known.toSorted()).toEqual(listed.toSorted())
})

test('a rate applies from its day on; a country without rates has those of GB, and missing rates keep their defaults', () => {
  const { vatOn } = termsOf({
    name: 'H',
    vat: {
      GB: [
        { from: '2027-01-01', audiobook: 5 },
        { from: '2026-04-01', audiobook: 10, membership: 15 },
      ],
      IE: [{ from: '2020-01-01', ebook: 9 }],
    },
  })
  expect(vatOn('GB', '2026-03-31')).toEqual(USUAL_VAT)
  expect(vatOn('GB', '2026-04-01')).toEqual({ audiobook: 10, ebook: 0, membership: 15 })
  expect(vatOn('FR', '2027-01-01')).toEqual({ audiobook: 5, ebook: 0, membership: 15 })
  expect(vatOn('IE', '2027-01-01')).toEqual({ ...USUAL_VAT, ebook: 9 })
})

test('a shop without its own plans sells the default plans; one with plans sells only those', () => {
  expect(termsOf({ name: 'H' })).toMatchObject({
    own: undefined,
    plans: PLANS,
    trial: { plan: 4, days: 30 },
    memberDiscount: 20,
    countries: undefined,
  })
  const { plans, trial } = termsOf({
    name: 'H',
    plans: [
      {
        key: 'supporter-year',
        name: 'Friend',
        price: '25.50',
        freeAudiobooks: 0,
        texts: ['For the love of it'],
      },
      { key: 'supporter-month', name: 'Friend', price: '2.55', freeAudiobooks: 0, sold: false },
    ],
  })
  expect(Object.values(plans).filter(({ sold }) => sold)).toEqual([
    { ...PLANS[7], type: 'Friend', name: 'Friend Annually', priceMinor: 2550, texts: ['For the love of it'] },
  ])
  expect(plans[6]).toMatchObject({ type: 'Friend', sold: false, priceMinor: 255 })
  expect(trial).toEqual({ plan: 7, days: 30 })
})
