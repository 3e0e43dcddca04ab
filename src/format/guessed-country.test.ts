import { expect, test } from 'vitest'
import { guessedCountry } from './guessed-country.ts'

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
