import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codesCommand } from '#server/commands/codes.ts'
import { newsletterCommand } from '#server/commands/newsletter.ts'
import { anAudioBook, aUser } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { GROUP_NAMES } from '../../tools/murmur.ts'
import { typed } from '#tests/support/run-command.ts'
import { importCatalogue } from '../catalogue/run.ts'
import type { RowReport } from '../catalogue/entry.ts'
import { mp3, OwnersFolder, picture } from '../fixtures/owners-folder.ts'
import { importTitles } from '../run.ts'
import { findTitles } from '../readers/find-titles.ts'
import { titlesCommand } from '../titles-command.ts'
import { importContent, importVocabularies } from './run.ts'

const ROOT = join(import.meta.dirname, '../..')
const page = (name: string) => readFileSync(join(ROOT, `docs/operations/${name}.md`), 'utf8')
const document = ['content', 'titles', 'import', 'discount-codes', 'cards', 'newsletter', 'support']
  .map(page)
  .join('\n')
/** The example files: in the document each name is above its content. */
const files = new Map(
  [...document.matchAll(/^`([^`\n]+)`\n\n```\w+\n([\s\S]*?)^```$/gm)].map(([, name, text]) => [name!, text!]),
)
/** The arguments of the documented commands, without comments. */
const commands = (name: string) =>
  [...document.matchAll(new RegExp(`^npm run (?:--silent )?${name} -- (.+)$`, 'gm'))].map(([, line]) => {
    const bare = line!.replace(/\s+#.*$/, '').replace(/\s+>.*$/, '')
    return [...bare.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!)
  })

/** The examples describe one shop: the member discount in configuration.md limits the prices here. */
const memberDiscount = Number(/"memberDiscount": (\d+)/.exec(page('configuration'))![1])
const folder = new OwnersFolder()
let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
  for (const [name, text] of files) folder.put(name, text)
  for (const title of ['low-water', 'high-water'])
    folder
      .put(`titles/${title}/1.mp3`, mp3({ title }))
      .put(`titles/${title}/cover.png`, await picture('#334455'))
})
afterAll(async () => {
  await shop.close()
  folder.remove()
})

test('every example in docs/operations can be imported, and a second import changes nothing', async () => {
  expect([...files.keys()]).toEqual(
    expect.arrayContaining(
      'home.json menus.json membership.json promo.json settings.json discounts.json publishers.json catalogue.csv catalogue.xml newsletter.md'.split(
        ' ',
      ),
    ),
  )
  for (const [, price, forMembers] of files.get('prices.csv')!.matchAll(/,(\d+\.\d\d),(\d+\.\d\d)$/gm))
    expect(Number(forMembers)).toBeGreaterThanOrEqual((Number(price) * (100 - memberDiscount)) / 100)
  const importing = { ...shop, now: shop.now }
  const bring = async () => {
    const { titles } = await findTitles(folder.folder('titles'))
    return [
      ...(await importVocabularies(importing, folder.path)),
      ...(await importTitles({ ...importing, memberDiscount, root: folder.folder('titles') }, titles)),
      ...(await importContent(importing, folder.path)),
    ]
  }
  const first = await bring()
  expect(first.filter(({ outcome, warnings }) => outcome === 'refused' || warnings.length > 0)).toEqual([])
  expect(new Set((await bring()).map(({ outcome }) => outcome))).toEqual(new Set(['same']))
  for (const name of ['catalogue.csv', 'catalogue.xml']) {
    const rows: RowReport[] = []
    await importCatalogue(
      { db: shop.db, now: shop.now, onRow: (row) => void rows.push(row) },
      folder.folder(name),
    )
    expect(
      rows.map(({ outcome, reason }) => [outcome, reason]),
      name,
    ).toEqual(rows.map(() => ['created', undefined]))
  }
  shop.answers.clear()
  const [home] = (await shop.app.inject('/api/homepage_panels')).json()['hydra:member']
  expect(home.pickedTitles.map(({ slug }: { slug: string }) => slug)).toEqual(['low-water', 'high-water'])
})

/** Tested with titles that have sound. */
const NEED_SOUND: ReadonlySet<string | undefined> = new Set(['analyse', 'loudness', 'replace-file'])

test('every titles, codes and newsletter command in docs/operations works', async () => {
  await shop.db.execute(
    sql`insert into newsletter_subscribers (email, confirmed_at) values ('a@post.example', now())`,
  )
  await aUser(shop, { email: 'ida@frost.example' })
  await anAudioBook(shop, { priceMinor: 0, published: false })
  for (const [command, argvs] of [
    [titlesCommand, commands('titles').filter(([name]) => !NEED_SOUND.has(name))],
    [codesCommand, commands('codes')],
    [newsletterCommand, commands('newsletter')],
  ] as const) {
    expect(argvs.length).toBeGreaterThan(2)
    for (const argv of argvs) {
      const local = argv.map((word) => (files.has(word) ? folder.folder(word) : word))
      const changes = argv.includes('--because') ? [...local, '--yes'] : local
      expect((await typed(shop, command, changes)).code, argv.join(' ')).toBe(0)
    }
  }
})

test('every command in the owner’s documents exists and is listed by `npm run help`', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const named = new Set(
    [...globSync('docs/operations/*.md', { cwd: ROOT }), 'README.md'].flatMap((path) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].map(
        ([, name]) => name!,
      ),
    ),
  )
  expect([...named].filter((name) => !(name in scripts))).toEqual([])
  const groups = Object.entries<string>(scripts).flatMap(([name, script]) =>
    script.endsWith(`tools/murmur.ts ${name}`) && name !== 'help' ? [name] : [],
  )
  expect(groups.toSorted()).toEqual(GROUP_NAMES.toSorted())
})
