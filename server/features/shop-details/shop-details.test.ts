import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadDetails, storeDetails } from '#server/db/shop-queries.ts'
import { OwnersDetails } from '#server/settings/owners-details.ts'
import { readPage } from '#importer/content/documents.ts'
import { draftPages } from './draft-pages.ts'
import { followDetails, takeShopFile } from './follow.ts'
import { newShop, shopOf, QUESTIONS } from './new-shop.ts'
import { colourOf, contrast } from '#server/colour.ts'
import { faintOf, tokensOf } from '#server/settings/owners-colours.ts'
import { checkShopFile, readShopFile } from './read-file.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let minute = 0
beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '0' } })
})
afterAll(() => shop.close())
beforeEach(() => void (minute += 1))

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"><path d="M5 5h30v3H5z"/></svg>'

/** Saves the file as an owner would, a minute after the last time. */
function save(file: object | string, pictures: Record<string, string | Buffer> = {}) {
  const { dataDir } = shop.config
  mkdirSync(dataDir, { recursive: true })
  const write = (name: string, content: string | Buffer) => {
    writeFileSync(join(dataDir, name), content)
    const at = new Date(Date.UTC(2026, 2, 2, 8, minute))
    utimesSync(join(dataDir, name), at, at)
  }
  write('shop.json', typeof file === 'string' ? file : JSON.stringify(file, null, 2))
  for (const [name, content] of Object.entries(pictures)) write(name, content)
}
const read = () => readShopFile(shop.config.dataDir)
const mistakesIn = async () => {
  const found = await read()
  return found && 'mistakes' in found ? found.mistakes : []
}

test('refuses misspelt keys with line number and the nearest word, and leaves the shop unchanged', async () => {
  save({ name: 'Harbour Lane' })
  expect(await takeShopFile(shop)).toEqual([])
  await loadDetails(shop.db, shop.config.details)
  minute += 1
  save(
    '{\n  "name": "Other",\n  "adress": [],\n  "seller": { "vatNumbr": "1" },\n  "zone": "Europe/Lodnon"\n}',
  )
  expect(await takeShopFile(shop)).toEqual([
    'line 3: "adress" is not a key here.',
    'line 4: "vatNumbr" is not a key here; did you mean "vatNumber"?',
  ])
  save('{\n  "name": "Other",\n  "zone": "Europe/Lodnon",\n  "shortNam": "O"\n}')
  expect(await mistakesIn()).toEqual(['line 4: "shortNam" is not a key here; did you mean "shortName"?'])
  save('{ "name": "Other",\n  "zone": "Europe/Lodnon" }')
  expect((await mistakesIn())[0]).toMatch(/^line 2: "zone" must be the name of a time zone/)
  save('{ "name": "Other"')
  expect((await mistakesIn())[0]).toMatch(/^is not valid JSON/)
  expect(shop.config.details.name).toBe('Harbour Lane')
})

test('every instance receives a change and drops its cached pages; an older file elsewhere changes nothing', async () => {
  const other = new OwnersDetails(false)
  const second = { ...shop, config: { ...shop.config, details: other }, answers: shop.answers }
  const stop = await followDetails(second)
  const kept = shop.answers.generation
  save({ name: 'Second Harbour', zone: 'Europe/Dublin', mail: { sender: 'post@harbour.example' } })
  await takeShopFile(shop)
  await expect.poll(() => other.name).toBe('Second Harbour')
  expect(shop.answers.generation).toBeGreaterThan(kept)
  stop()

  // The second instance polls the file; it gets no notification.
  const stopLooking = await followDetails(second, 10)
  minute += 1
  save({ name: 'Third Harbour', zone: 'Europe/Dublin', mail: { sender: 'post@harbour.example' } })
  await expect.poll(() => other.name).toBe('Third Harbour')
  stopLooking()

  await loadDetails(shop.db, shop.config.details)
  expect([shop.config.shopZone, shop.config.mailFrom]).toEqual([
    'Europe/Dublin',
    'Third Harbour <post@harbour.example>',
  ])
  save({ name: 'From a backup' })
  utimesSync(join(shop.config.dataDir, 'shop.json'), 0, 0)
  expect((await takeShopFile(shop))[0]).toMatch(/older than the one/)
  const same = { file: { name: 'Same' }, pictures: {}, version: shop.config.details.version }
  expect(await storeDetails(shop.db, same, new Date())).toBe('same')
})

test('a logo keeps its shape without scripts and external resources; a picture without a shape is refused', async () => {
  const wild = LOGO.replace(
    '<path',
    '<script>alert(1)</script><style>@import "//evil.example"</style><image href="//evil.example/a.png"/>' +
      '<a href="javascript:x"><path onload="x()" fill="url(//evil.example)" d="M0 0h9v9z"/></a><use href="//evil.example#a"/><path',
  )
  const photograph = await sharp({ create: { width: 300, height: 100, channels: 3, background: '#336' } })
    .png()
    .toBuffer()
  save({ name: 'Harbour', logo: 'logo.svg' }, { 'logo.svg': wild })
  const found = await read()
  if (!found || 'mistakes' in found) throw new Error(found?.mistakes.join())
  const logo = found.said.pictures.logo!
  expect([logo.type, logo.ratio]).toEqual(['image/svg+xml', 4])
  const cleaned = logo.bytes.toString('utf8')
  expect(cleaned).toContain('M5 5h30v3H5z')
  expect(cleaned).not.toMatch(/script|style|image|evil|onload|javascript|<a/)
  save({ name: 'Harbour', logo: 'photo.png', icon: 'gone.png' }, { 'photo.png': photograph })
  expect(await mistakesIn()).toEqual([
    expect.stringMatching(/^line 3: photo\.png has no shape/),
    'line 4: gone.png is not there: put it beside shop.json.',
  ])
})

test('creates the icon in every size from one picture; without a picture, from the first letter of the name', async () => {
  for (const file of [
    { name: 'Été', colours: { accent: '#14532d' } },
    { name: 'Harbour', icon: 'icon.svg' },
  ]) {
    save(file, { 'icon.svg': LOGO.replace('0 0 40 10', '0 0 10 10') })
    const found = await read()
    if (!found || 'mistakes' in found) throw new Error(found?.mistakes.join())
    const sizes = await Promise.all(
      Object.entries(found.said.pictures).map(async ([name, { bytes }]) => {
        const { width, height, format } = await sharp(bytes).metadata()
        return [name, width, height, format]
      }),
    )
    expect(sizes).toEqual([
      ['icon-192.png', 192, 192, 'png'],
      ['icon-512.png', 512, 512, 'png'],
      ['maskable-512.png', 512, 512, 'png'],
      ['apple-touch-icon.png', 180, 180, 'png'],
    ])
  }
})

test('refuses a colour that is hard to read and suggests the nearest one that passes', () => {
  const of = (colours: object) => checkShopFile(JSON.stringify({ name: 'H', colours }))
  expect(of({ paper: '#f4f6f1', accent: '#14532d', button: '#e8b23a' })).toHaveProperty('file')
  for (const [which, colour] of [
    ['accent', '#8fd0a0'],
    ['paper', '#9a9a90'],
    ['button', '#7a7a7a'],
  ] as const) {
    const refused = of({ [which]: colour })
    const [said = ''] = 'mistakes' in refused ? refused.mistakes : []
    expect(said).toMatch(`the colour "${which}" is hard to read`)
    const nearest = /is "(#[0-9a-f]{6})"\.$/.exec(said)![1]!
    expect(of({ [which]: nearest })).toHaveProperty('file')
  }
})

test('for a bright yellow the shop chooses a darker yellow, not black', () => {
  const [yellow] = faintOf({ accent: '#ffe000' })
  const [red, green, blue] = colourOf(yellow!.nearest)!
  expect(red).toBeGreaterThan(60)
  expect(green).toBeGreaterThan(60)
  expect(blue).toBeLessThan(20)
})

test('text is readable on a band of any accent colour that passes', () => {
  for (let hue = 0; hue < 0xffffff; hue += 54_321) {
    const accent = `#${hue.toString(16).padStart(6, '0')}`
    if (faintOf({ accent }).length > 0) continue
    const sheet = tokensOf({ accent })
    const of = (name: string) => colourOf(new RegExp(`--${name}:(#[0-9a-f]{6})`).exec(sheet)![1])!
    for (const words of ['house-words', 'house-quiet'])
      expect(contrast(of(words), of('house')), `${words} on ${accent}`).toBeGreaterThanOrEqual(4.5)
    expect(contrast(of('house-words'), of('house-box')), accent).toBeGreaterThanOrEqual(4.5)
  }
})

/** A user at the terminal, who answers each question as given here. */
function interview(answers: Readonly<Record<string, readonly string[]>>) {
  const left = new Map(Object.entries(answers).map(([asked, given]) => [asked, [...given]]))
  const said: string[] = []
  return {
    said,
    say: (line: string) => void said.push(line),
    ask: async (question: string) => {
      said.push(question)
      const found = [...left].find(([asked, given]) => question.includes(asked) && given.length > 0)
      return found?.[1].shift() ?? ''
    },
  }
}

test('refuses a misspelt part, and a shop with nothing to sell, with the line number', () => {
  const of = (parts: string) => checkShopFile(`{ "name": "H",\n  "parts": {\n    ${parts}\n  } }`)
  expect(of('"membership": false, "jurnal": false')).toEqual({
    mistakes: ['line 3: "jurnal" is not a key here; did you mean "journal"?'],
  })
  expect(of('"trial": "no"')).toEqual({ mistakes: ['line 3: "parts.trial" must be true or false.'] })
  expect(of('"audiobooks": false, "eBooks": false')).toEqual({
    mistakes: [
      'line 2: a shop without audiobooks and without e-books has nothing to sell. Leave one of "audiobooks" and "eBooks" on.',
    ],
  })
  expect(of('"audiobooks": false')).toHaveProperty('file')
})

test('the wizard checks each answer at once, offers a readable colour, and keeps earlier values', async () => {
  const folder = join(shop.config.dataDir, 'wizard')
  mkdirSync(folder)
  writeFileSync(join(folder, 'Our Mark.SVG'), LOGO)
  const first = interview({
    'shop called': ['', 'Harbour Lane Books'],
    'few letters': ['Harbour Lane Books', 'Harbour Lane'],
    'a logo': [join(folder, 'gone.svg'), 'Our Mark.SVG'],
    'links and marks': ['green', '#8fd0a0'],
    'Take it?': ['y'],
    'mail from': ['not an address', 'post@harbour.example'],
    'Their address': ['1 Harbour Lane; Whitby; United Kingdom'],
    'Where else': ['Mastodon https://social.example/@harbour'],
    'do without': ['trial, journl', 'trial, journal'],
    'One line above': ['New this week: six for the train /browse'],
    'newsletter called': ['Letters from the lane'],
    'time zone': ['Europe/Lodnon', 'Europe/London'],
  })
  const file = await newShop(folder, first)
  expect(file).toMatchObject({
    name: 'Harbour Lane Books',
    shortName: 'Harbour Lane',
    logo: 'logo.svg',
    mail: { sender: 'post@harbour.example' },
    seller: { address: ['1 Harbour Lane', 'Whitby', 'United Kingdom'] },
    social: [{ title: 'Mastodon', url: 'https://social.example/@harbour' }],
    parts: { trial: false, journal: false },
    banner: { words: 'New this week:', link: 'six for the train', url: '/browse' },
    newsletter: { title: 'Letters from the lane' },
    zone: 'Europe/London',
  })
  const said = first.said.join('\n')
  for (const words of [
    'at most 16 letters',
    'gone.svg is not there',
    'a colour in quotes',
    'hard to read',
    'did you mean "journal"?',
    'an address like',
  ])
    expect(said).toContain(words)
  const found = await readShopFile(folder)
  expect(found && 'said' in found && found.said.file).toEqual(file)

  // The second time, Enter keeps everything and a minus removes a value.
  const again = await newShop(folder, interview({ 'Where else': ['-'], 'time zone': ['-'] }))
  expect(again).toEqual({ ...file, social: undefined, zone: undefined })
  writeFileSync(join(folder, 'shop.json'), '{ "nam": "H" }')
  await expect(newShop(folder, interview({}))).rejects.toThrow('did you mean "name"?')
})

test('a script creates a shop from options, which change nothing else; if one is wrong, nothing is written', async () => {
  const folder = join(shop.config.dataDir, 'by-options')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'mark.svg'), LOGO)
  await expect(shopOf(folder, { address: '1 Harbour Lane' })).rejects.toThrow('needs at least --name')
  const file = await shopOf(folder, {
    name: 'Harbour Lane Books',
    'short-name': 'Harbour Lane',
    address: '1 Harbour Lane; Whitby; United Kingdom',
    mail: 'post@harbour.example',
    logo: 'mark.svg',
    without: 'trial, journal',
    zone: 'Europe/London',
  })
  expect(file).toMatchObject({
    name: 'Harbour Lane Books',
    logo: 'logo.svg',
    mail: { sender: 'post@harbour.example' },
    seller: { address: ['1 Harbour Lane', 'Whitby', 'United Kingdom'] },
    parts: { trial: false, journal: false },
  })
  await expect(shopOf(folder, { without: 'jurnal', zone: '-' })).rejects.toThrow('did you mean "journal"?')
  await expect(shopOf(folder, { icon: 'gone.svg' })).rejects.toThrow('--icon: gone.svg is not there.')
  expect(await shopOf(folder, { zone: '-', about: 'By the sea.' })).toEqual({
    ...file,
    about: 'By the sea.',
    zone: undefined,
  })
  const options = QUESTIONS.map(({ option }) => option)
  expect(new Set(options).size).toBe(options.length)
})

test('drafts the legally required pages with placeholders, which the import refuses until they are filled', async () => {
  const folder = join(shop.config.dataDir, 'drafts')
  const file = {
    name: 'Harbour *Lane*',
    seller: { name: 'Harbour Ltd', address: ['1 Harbour Lane', 'Whitby'], vatNumber: 'GB 1' },
    help: { mail: 'help@harbour.example' },
  }
  const drafts = await draftPages(file, folder)
  const names = ['accessibility', 'imprint', 'terms-conditions', 'terms-privacy-etc', 'withdrawal-form']
  expect(drafts.map(({ path }) => basename(path, '.md'))).toEqual(names)
  for (const { path, gaps } of drafts) {
    const text = readFileSync(path, 'utf8')
    expect(text).toMatch(/^\[\[A draft: have a lawyer read this page/m)
    expect(text).not.toMatch(/\{\{|murmur/i)
    expect(gaps).toBeGreaterThan(0)
  }
  const imprint = join(folder, 'pages/imprint.md')
  const text = readFileSync(imprint, 'utf8')
  expect(text).toContain('Harbour \\*Lane\\* is run by')
  expect(text).toContain('1 Harbour Lane  \nWhitby')
  expect(text).toContain('Telephone: [[your telephone number]]')
  await expect(readPage(imprint)).rejects.toThrow(/^It still has \d+ gaps: .*“your telephone number”/)

  writeFileSync(
    join(folder, 'pages/two.md'),
    '---\ntitle: Two\n---\n\n[[[your email]](mailto:[[your email]])\n',
  )
  await expect(readPage(join(folder, 'pages/two.md'))).rejects.toThrow(
    'It still has 2 gaps: “your email”; “your email”.',
  )
  writeFileSync(imprint, text.replaceAll(/\[\[[^\]]+\]\]/g, 'told'))
  expect((await readPage(imprint)).about).toBe('Who runs this shop')
  expect((await draftPages(file, folder)).find(({ path }) => path === imprint)).toEqual({
    path: imprint,
    gaps: 0,
    kept: true,
  })
})
