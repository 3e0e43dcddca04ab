import { expect, test } from 'vitest'
import { COUNTRIES, guessedCountry } from './countries.ts'

test('CONST-13: all 249 countries of ISO 3166-1, once each, with names, sorted by name', () => {
  expect(COUNTRIES).toHaveLength(249)
  expect(new Set(COUNTRIES.map(({ code }) => code)).size).toBe(249)
  expect(new Set(COUNTRIES.map(({ name }) => name)).size).toBe(249)
  const known = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  for (const { code, name } of COUNTRIES) {
    expect(code).toMatch(/^[A-Z]{2}$/)
    expect(known.of(code), code).toBeDefined()
    expect(name.length).toBeGreaterThan(3)
  }
  const names = COUNTRIES.map(({ name }) => name)
  expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other, 'en')))
  // `Intl` also names codes that are not ISO countries: the United Nations, the euro area, Ascension.
  for (const code of ['UN', 'EZ', 'AC', 'XK']) expect(COUNTRIES.some((one) => one.code === code)).toBe(false)
  expect(COUNTRIES.find(({ code }) => code === 'GB')?.name).toBe('United Kingdom')
})

test.each([
  [['en-GB', 'en'], 'GB'],
  [['de-CH'], 'CH'],
  [['zh-Hant-TW'], 'TW'],
  // The default of many browsers in every country.
  [['en-US'], ''],
  [['en'], ''],
  [['es-419'], ''],
  [['x'], ''],
  [[], ''],
])('browser languages %o give the country %o', (languages, country) => {
  expect(guessedCountry(languages)).toBe(country)
})
