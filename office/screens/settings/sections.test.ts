import { expect, test } from 'vitest'
import { ShopFile } from '#contract/shop-details.ts'
import { PLAN_KEYS } from '#contract/shop-terms.ts'
import { PLANS, SECTIONS } from './sections.ts'
import { changesOf, valueOfText, valuesOf, withValue } from './values.ts'

const section = (id: string) => SECTIONS.find((each) => each.id === id)!

test('OFFICE-60: the settings page has every key of shop.json', () => {
  // The logo and the icon are files with buttons of their own.
  const edited = new Set<string>([...SECTIONS.flatMap(({ keys }) => keys), 'logo', 'icon'])
  expect([...edited].toSorted((a, b) => a.localeCompare(b))).toEqual(
    Object.keys(ShopFile.properties).toSorted((a, b) => a.localeCompare(b)),
  )
})

test('OFFICE-60: every plan that a shop can have can be chosen', () => {
  expect(PLANS).toEqual(Object.keys(PLAN_KEYS))
})

test('OFFICE-60: VAT is edited as lines and sent by country', () => {
  const file: ShopFile = { name: 'Low Tide', vat: { IE: [{ from: '2026-01-01', audiobook: 23 }] } }
  const values = valuesOf(section('vat'), file)
  expect(values).toEqual({ vat: [{ country: 'IE', from: '2026-01-01', audiobook: 23 }] })
  expect(changesOf(section('vat'), values)).toEqual({ vat: file.vat })
  expect(changesOf(section('vat'), {})).toEqual({ vat: null })
})

test('OFFICE-60: emptied texts, lists and groups are removed from the file', () => {
  const changed = withValue({ seller: { name: 'Low Tide', address: [' ', ''] } }, 'seller.name', '  ')
  expect(changesOf(section('seller'), changed)).toEqual({ seller: null })
})

test('OFFICE-60: a line of links is a title and an address', () => {
  expect(
    valueOfText({ path: 'social', label: '', kind: 'links' }, 'On the fediverse https://a.example\n'),
  ).toEqual([{ title: 'On the fediverse', url: 'https://a.example' }])
})
