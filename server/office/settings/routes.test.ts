import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Settings } from '#contract/office/settings.ts'
import { loadDetails } from '#server/db/shop-queries.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'

let shop: TestShop
let owner: StaffSession
beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '0' } })
  owner = await signedInStaff(shop, 'owner')
})
afterAll(() => shop.close())

const path = () => join(shop.config.dataDir, 'shop.json')
const settings = async (): Promise<Settings> => (await owner.ask('GET', '/api/office/settings')).json()
const change = async (changes: object, version?: string) =>
  owner.ask('PATCH', '/api/office/settings', { version: version ?? (await settings()).version, changes })

test('OFFICE-61: a change is written into shop.json, taken at once, and undone from the log', async () => {
  const answer = await change({ name: 'Low Tide Press', help: { mail: 'help@low.example' } })
  expect(answer.json()).toMatchObject({ what: 'Changed name, help in the settings' })
  expect(JSON.parse(readFileSync(path(), 'utf8'))).toEqual({
    name: 'Low Tide Press',
    help: { mail: 'help@low.example' },
  })
  await loadDetails(shop.db, shop.config.details)
  expect(shop.config.details.name).toBe('Low Tide Press')
  const second = await change({ about: 'Books by the water.', help: null })
  expect((await settings()).file).toEqual({ name: 'Low Tide Press', about: 'Books by the water.' })
  const undone = await owner.ask('POST', `/api/office/activity/${second.json().entry}/undo`)
  expect(undone.statusCode).toBe(200)
  expect((await settings()).file).toEqual({ name: 'Low Tide Press', help: { mail: 'help@low.example' } })
  // The earlier one still can't be undone over a later change of the same key.
  await change({ name: 'High Tide Press' })
  const refused = await owner.ask('POST', `/api/office/activity/${answer.json().entry}/undo`)
  expect([refused.statusCode, refused.json()['hydra:description']]).toEqual([
    422,
    'These settings were changed again since. Undo that first.',
  ])
})

test('OFFICE-61: what the file’s own rules refuse is refused in words, and nothing is written', async () => {
  const before = readFileSync(path(), 'utf8')
  for (const [changes, says] of [
    [{ colours: { button: '#797979' } }, /hard to read: its words read at .* The nearest that passes is/],
    [{ nmae: 'x' }, /"nmae" is not a key here; did you mean "name"\?/],
    [{ countries: ['UK'] }, /"UK" is not a country code; did you mean "GB"/],
    [{ parts: { audiobooks: false, eBooks: false } }, /nothing to sell/],
    [{ name: null }, /needs "name"/],
  ] as const) {
    const answer = await change(changes)
    expect([answer.statusCode, answer.json()['hydra:description']]).toEqual([
      422,
      expect.stringMatching(says),
    ])
  }
  expect(readFileSync(path(), 'utf8')).toBe(before)
})

test('OFFICE-61: two people at once: the second is told, and a file broken by hand is not overwritten', async () => {
  const { version } = await settings()
  await change({ about: 'First.' }, version)
  const late = await change({ about: 'Second.' }, version)
  expect([late.statusCode, late.json()['hydra:description']]).toEqual([
    422,
    expect.stringContaining('Somebody changed the settings since'),
  ])
  const whole = readFileSync(path(), 'utf8')
  writeFileSync(path(), '{ "name": ')
  const broken = await change({ about: 'Third.' })
  expect([broken.statusCode, readFileSync(path(), 'utf8')]).toEqual([422, '{ "name": '])
  writeFileSync(path(), whole)
})

test('OFFICE-60: colours are checked as they are typed, with the tokens of a preview', async () => {
  const preview = async (body: object) =>
    (await owner.ask('POST', '/api/office/settings/colours', body)).json()
  expect(await preview({ button: '#797979' })).toMatchObject({
    faults: [{ which: 'button', nearest: expect.stringMatching(/^#[\dA-F]{6}$/i) }],
  })
  expect(await preview({ accent: '#12' })).toMatchObject({ faults: [{ which: 'accent', nearest: null }] })
  const fine = await preview({ accent: '#14532d' })
  expect([fine.faults, fine.tokens.accent[0].toLowerCase()]).toEqual([[], '#14532d'])
})

test('OFFICE-60: a logo is stored in the folder of shop.json, and a picture without a shape is refused', async () => {
  const put = async (svg: string) =>
    owner.ask('PUT', '/api/office/settings/pictures/logo', {
      version: (await settings()).version,
      type: 'svg',
      base64: Buffer.from(svg).toString('base64'),
    })
  const logo =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 20"><circle cx="10" cy="10" r="8"/></svg>'
  expect((await put(logo)).statusCode).toBe(200)
  const { file } = await settings()
  expect(file.logo).toMatch(/^logo-.+\.svg$/)
  expect(existsSync(join(shop.config.dataDir, file.logo!))).toBe(true)
  const whole =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 20"><rect width="80" height="20"/></svg>'
  expect((await put(whole)).json()['hydra:description']).toContain('The picture has no shape')
})

test('OFFICE-62: what only the server’s environment can set is shown without its secrets', async () => {
  const text = (await owner.ask('GET', '/api/office/settings')).payload
  expect(JSON.parse(text).server).toEqual(
    expect.arrayContaining([
      { name: 'PUBLIC_URL', what: expect.any(String), value: shop.config.publicUrl },
      { name: 'SMTP_URL', what: expect.any(String), value: null },
    ]),
  )
  for (const secret of [shop.config.codeKey, ...shop.config.appKeys]) expect(text).not.toContain(secret)
})
