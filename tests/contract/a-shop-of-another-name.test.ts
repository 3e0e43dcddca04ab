import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { QueryClient } from '@tanstack/react-query'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ShopFile } from '#contract/shop-details.ts'
import { printCards } from '#server/features/cards/print.ts'
import { statementPdf } from '#server/features/outlets/statement-files.ts'
import { renderMail } from '#server/integrations/mail/render.ts'
import { pageHead } from '#server/pages/page-head.ts'
import { personalPage } from '#server/pages/personal-pages.ts'
import { inProcess } from '#server/pages/renderer.ts'
import { MAIL_SAMPLES } from '#server/integrations/mail/samples.ts'
import { render } from '../../src/entry-server.tsx'
import { createAppRouter } from '../../src/router.tsx'
import { buildWorld, type World } from './world.ts'

const FILE: ShopFile = {
  name: 'Harbour Lane & Sons',
  about: 'Harbour Lane reads to you from the end of the quay.',
  seller: { name: 'Harbour Lane Ltd', address: ['1 Harbour Lane', 'Whitby', 'Ireland'], vatNumber: 'IE 1' },
  mail: { sender: 'post@harbour.example' },
  help: { mail: 'help@harbour.example', telephone: '01947 496 0018' },
  footer: [{ title: 'The quay', links: [{ title: 'Tides', url: 'https://tides.example/' }] }],
  social: [{ title: 'Mastodon', url: 'https://social.example/@harbour' }],
  banner: { words: 'Open till dusk:', link: 'come and listen', url: '/info/open' },
  newsletter: { words: 'What came in with the tide, once a month.', often: 'once a month' },
}
const OLD = /murmur/i
/** Paths and names of the API stay as they are, because apps and clients in use depend on them. */
const withoutAddresses = (text: string) => text.replaceAll(/\/murmurations[\w/?=&.-]*/g, '')

let world: World
let folder: string
beforeAll(async () => {
  world = await buildWorld()
  world.shop.config.details.replace({ file: FILE, pictures: {}, version: 'theirs' })
  folder = await mkdtemp(join(tmpdir(), 'another-name-'))
})
afterAll(async () => {
  await world.shop.close()
  await rm(folder, { recursive: true, force: true })
})

const page = async (url: string) => {
  const { app, config } = world.shop
  const visitor = { country: 'GB', address: '192.0.2.1' }
  const drawn = await render({
    url,
    origin: 'http://shop',
    fetch: inProcess(app, visitor),
    details: config.details.ofPages,
  })
  return drawn.redirect === undefined ? drawn : undefined
}

const SAMPLES: Readonly<Record<string, string>> = {
  '/articles/$slug': '/articles/an-article',
  '/audiobooks/$slug': '/audiobooks/an-audiobook',
  '/discussions/$slug': '/discussions/a-discussion',
  '/ebooks/$slug': '/ebooks/an-e-book',
  '/info/$slug': '/info/a-page',
  '/interviews/$slug': '/interviews/an-interview',
  '/publishers/$slug': '/publishers/a-publisher',
  '/subscription/{-$token}': '/subscription',
}

test('every page of a shop with another name has that name, and the old one nowhere', async () => {
  const routes = Object.keys(createAppRouter(new QueryClient()).routesByPath)
  const drawn: string[] = []
  for (const route of routes) {
    const address = SAMPLES[route] ?? route.replace(/\$\w+/, 'anything')
    const own = personalPage(address, FILE.name)
    const found = own ? undefined : await page(address)
    expect(own?.title ?? '', route).not.toMatch(OLD)
    if (found) drawn.push(found.head + found.app)
  }
  expect(drawn.length).toBeGreaterThan(30)
  for (const html of drawn) {
    expect(html).toContain(' | Harbour Lane &amp; Sons</title>')
    expect(withoutAddresses(html)).not.toMatch(OLD)
  }
  const head = pageHead(world.shop.config.details).html
  expect(head).toContain('content="Harbour Lane &amp; Sons"')
  expect(head).not.toMatch(OLD)
})

test('the home page has the owner’s footer, banner and external profiles, and no other shop’s', async () => {
  const { app, head } = (await page('/'))!
  for (const words of [FILE.about!, 'Tides', 'The quay', 'Mastodon', 'come and listen', 'once a month'])
    expect(app).toContain(words)
  expect(app).toContain('href="https://tides.example/"')
  expect(app).not.toMatch(/Instagram|YouTube/)
  expect(head).toContain('"name":"Harbour Lane & Sons"')
})

test.each(Object.entries(MAIL_SAMPLES))('a mail of the kind %s has the owner’s name', (kind, { data }) => {
  const { config } = world.shop
  const at = Object.create(config, { publicUrl: { value: 'https://harbour.example' } }) as typeof config
  // The people in the samples have addresses at the demo's domain.
  const theirs = JSON.parse(JSON.stringify(data).replaceAll(/@murmur\.\w+/g, '@post.example')) as object
  const mail = renderMail({ id: 'm', kind, recipient: 'una@post.example', data: theirs }, at)!
  expect(mail.html).toContain('Harbour Lane &amp; Sons')
  expect(mail.text).toContain('Harbour Lane & Sons')
  for (const form of [mail.subject, mail.text, mail.html]) expect(form).not.toMatch(OLD)
})

test('feeds, reading apps, receipts and the support contact have the owner’s name', async () => {
  const get = async (url: string) => (await world.shop.app.inject(url)).body
  for (const url of ['/opds', '/opds/audiobooks', '/feeds/articles.xml', '/feeds/interviews.xml']) {
    const body = await get(url)
    expect(body, url).toMatch(/Harbour Lane &(amp;)? Sons/)
    expect(withoutAddresses(body), url).not.toMatch(OLD)
  }
  expect(await get('/api/docs.json')).toContain('"title":"Harbour Lane & Sons API"')
  expect(JSON.parse(await get('/api/settings/1'))).toMatchObject({
    supportMail: 'help@harbour.example',
    supportPhone: '01947 496 0018',
    bookshopMail: 'help@harbour.example',
    bookshopPhone: '01947 496 0018',
    address: ['1 Harbour Lane', 'Whitby', 'Ireland'],
    vatNumber: 'IE 1',
  })
  const receipt = renderMail(
    {
      id: 'm',
      kind: 'order_confirmed',
      recipient: 'una@post.example',
      data: { ...MAIL_SAMPLES.order_confirmed.data, path: null },
    },
    world.shop.config,
  )!
  expect(receipt.text).toContain('Sold by Harbour Lane Ltd, 1 Harbour Lane, Whitby, Ireland.')
  expect(receipt.text).toContain('VAT number IE 1.')
  expect(world.shop.config.mailFrom).toBe('"Harbour Lane & Sons" <post@harbour.example>')
})

const run = promisify(execFile)
const hasReader = await run('pdftotext', ['-v']).then(
  () => true,
  () => false,
)

test.skipIf(!hasReader)('a card and a statement on paper have the owner’s name', async () => {
  const { config, media } = world.shop
  const textOf = async (path: string) => (await run('pdftotext', ['-layout', path, '-'])).stdout
  const made = { title: 'Salt', batch: 'b', slug: 'salt', priceMinor: 1200, coverId: null } as never
  const card = join(folder, 'card.pdf')
  await printCards(card, {
    made,
    cards: [{ number: '482100577731', code: 'ABCD-2345-6789' }],
    layout: 'printer',
    press: { publicUrl: 'https://harbour.example', media, name: config.details.name },
  })
  const statement = join(folder, 'statement.pdf')
  const paper = await statementPdf({
    outlet: { name: 'The Reading Room' },
    statement: { number: 'S-1', from: '2026-09-01', to: '2026-09-30', dueOn: '2026-10-30' },
    sums: { cards: 0, soldMinor: 0, owedMinor: 0, purchases: 0, commissionMinor: 0, vatMinor: 0 },
    lines: [],
    zone: 'Europe/London',
    seller: { name: config.details.seller, address: FILE.seller!.address!, vatNumber: 'IE 1' },
  } as never)
  await pipeline(paper, createWriteStream(statement))
  for (const [path, name] of [
    [card, 'Harbour Lane & Sons'],
    [statement, 'Harbour Lane Ltd'],
  ] as const) {
    expect(await textOf(path)).toContain(name)
    expect(await textOf(path)).not.toMatch(OLD)
  }
})
