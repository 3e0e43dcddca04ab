import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { Template } from '#server/pages/template.ts'

const ROOT = join(import.meta.dirname, '../..')
const CLIENT = join(ROOT, 'dist/client')
const SERVER = join(ROOT, 'dist/server')

/** In kB of 1,000 bytes, gzipped as in the build (tools/build.ts). */
const INITIAL_SCRIPT = 140
const OFFICE_SCRIPT = 180
const FIRST_FONTS = 75
const IN_STEP_SCRIPT = 15
/** Files of the built server that every start reads: each set of modules that two chunks share becomes a file. */
const MOST_PARTS = 24

beforeAll(() => {
  if (!existsSync(join(CLIENT, '.vite/manifest.json')))
    throw new Error('There is no built client to weigh. Build it first: npm run build')
})

test('the home page asks for at most 140 kB of JavaScript, gzipped, before it can be used', () => {
  const scripts = scriptsOf(firstView('/'))
  expect(scripts.length).toBeGreaterThan(1)
  const kilobytes = sum(scripts.map((file) => gzipSync(bytesOf(file), { level: 9 }).length)) / 1000
  expect(kilobytes).toBeLessThanOrEqual(INITIAL_SCRIPT)
})

test('a route file exports its route alone: whatever else it exported would be part of every first view', () => {
  const files = globSync('src/routes/**/*.tsx', { cwd: ROOT, exclude: ['**/-*/**'] })
  expect(files.length).toBeGreaterThan(40)
  const others = files.filter((file) =>
    /^export (?!const Route\b|interface |type )/m.test(readFileSync(join(ROOT, file), 'utf8')),
  )
  expect(others).toEqual([])
})

test('everything the first scripts import outright is named in the page, so nothing is fetched in a chain', () => {
  for (const route of ['/', '/audiobooks/', '/audiobooks/$slug']) {
    const scripts = scriptsOf(firstView(route))
    expect(withImports(scripts).sort()).toEqual(scripts.sort())
  }
})

test('styles that travel in the page are not fetched once more with the parts that come later', () => {
  const linked = [
    ...firstView('/', ['HomePanels']).matchAll(/<link rel="stylesheet" href="\/([^"]+)" disabled>/g),
  ]
  const needed = [...manifestChunks().values()].find(({ name }) => name === 'HomePanels')!.css!
  expect(needed.length).toBeGreaterThan(0)
  expect(linked.map(([, file]) => file)).toEqual(expect.arrayContaining([...needed]))
})

test('the fonts of a first view are at most 75 kB', () => {
  const fonts = [...firstView('/').matchAll(/rel="preload" as="font"[^>]* href="\/([^"]+)"/g)].map(
    ([, file]) => file!,
  )
  expect(fonts).toHaveLength(2)
  expect(sum(fonts.map((file) => bytesOf(file).length)) / 1000).toBeLessThanOrEqual(FIRST_FONTS)
})

test('the office’s first screen asks for at most 180 kB of JavaScript, gzipped', () => {
  const html = readFileSync(join(CLIENT, 'office/index.html'), 'utf8')
  const chunks = [...chunksOf('.vite/office.json').values()]
  // The heaviest screen with its imports is the upper bound, because any screen can be the first.
  const weights = chunks
    .filter(({ src }) => src?.startsWith('office/screens/'))
    .map(({ file }) => {
      const files = new Set([...scriptsOf(html), ...withImports([file], chunksOf('.vite/office.json'))])
      return sum([...files].map((each) => gzipSync(bytesOf(each), { level: 9 }).length)) / 1000
    })
  expect(weights.length).toBeGreaterThan(3)
  expect(Math.max(...weights)).toBeLessThanOrEqual(OFFICE_SCRIPT)
})

test('a shopper loads nothing of the office: no page and no list of the service worker names a file of it', () => {
  const isOfOffice = /assets\/office-/
  expect(readdirSync(join(CLIENT, 'assets')).some((file) => isOfOffice.test(`assets/${file}`))).toBe(true)
  for (const route of Object.keys(routeFiles()))
    expect(withImports(scriptsOf(firstView(route))).filter((file) => isOfOffice.test(file))).toEqual([])
  expect(readFileSync(join(CLIENT, 'service-worker.js'), 'utf8')).not.toMatch(isOfOffice)
  expect(readFileSync(join(CLIENT, '.vite/manifest.json'), 'utf8')).not.toMatch(/"(src|file)": "[^"]*office/)
})

test('schemas stay on the server: the client holds no code of the schema library', () => {
  const mark = "'~kind'"
  const library = join(ROOT, 'node_modules/typebox/build/type/types')
  expect(readFileSync(join(library, 'object.mjs'), 'utf8')).toContain(mark)
  expect(chunksWith('~kind')).toEqual([])
})

test('a start of the server reads one program of a few parts, without what is rarely used', () => {
  const parts = new Set(['main.js'])
  for (const part of parts) {
    const text = readFileSync(join(SERVER, part), 'utf8')
    for (const [, other] of text.matchAll(/(?:from|import)"\.\/([\w.$-]+\.js)"/g)) parts.add(other!)
  }
  expect(parts.size).toBeLessThanOrEqual(MOST_PARTS)
  const sources = [...parts].flatMap((part) => sourcesOf(part))
  expect(sources).toContain('../../server/app.ts')
  const rare =
    /node_modules\/(@zxcvbn-ts|archiver|feed|music-metadata|nodemailer|stripe|sanitize-html)\/|importer\/(covers|readers)\//
  expect(sources.filter((source) => rare.test(source))).toEqual([])
})

test('paying: what wallets need is in files of its own, which no checkout starts with', () => {
  const holders = chunksWith('expressCheckout')
  expect(holders).not.toEqual([])
  for (const id of TILLS) {
    const fetched = withImports(scriptsOf(firstView(id)))
    expect(
      holders.filter((file) => fetched.includes(file)),
      id,
    ).toEqual([])
  }
})

test('Base UI and Dexie come with the first thing that needs them, not with the first view', () => {
  for (const mark of ['base-ui', 'DexieError']) {
    const holders = chunksWith(mark)
    expect(holders).not.toEqual([])
    expect(holders.filter((file) => scriptsOf(firstView('/')).includes(file))).toEqual([])
  }
})

/** What a book in one format never loads. */
const IN_STEP_PARTS = [
  'src/features/in-step/in-step.ts',
  'src/features/in-step/switch.ts',
  'src/features/reading/ReadAlong.tsx',
  'src/routes/-player/BookText.tsx',
  'src/routes/-player/JustNowSheet.tsx',
]
/** What reader and player load after their first view for every book. */
const OF_EVERY_BOOK = [
  'src/features/reading/engine.ts',
  'src/features/player/start.ts',
  'src/app/player-ports.ts',
]

test('in step: reader and player together load at most 15 kB of JavaScript more for it, gzipped, and on demand', () => {
  const chunks = manifestChunks()
  const fileOf = (key: string) => chunks.get(key)!.file
  const always = withImports([
    ...['/read/$slug', '/player/$slug'].flatMap((route) => scriptsOf(firstView(route))),
    ...OF_EVERY_BOOK.map(fileOf),
  ])
  const parts = IN_STEP_PARTS.map(fileOf)
  expect(parts.filter((file) => always.includes(file))).toEqual([])
  const more = withImports(parts).filter((file) => !always.includes(file))
  // The player reads its settings at every start.
  const silences = [...chunks.values()].filter(({ name }) => name === 'shorten-silences')
  expect(silences).toHaveLength(1)
  const weights = [...more, silences[0]!.file].map((file) => gzipSync(bytesOf(file), { level: 9 }).length)
  expect(sum(weights) / 1000).toBeLessThanOrEqual(IN_STEP_SCRIPT)
})

/** Loaded only when they are opened. */
const ON_DEMAND = ['/payment', '/payment-problem', '/gift', '/free-trial', '/xmas', '/404']
/** The routes with a card form. */
const TILLS = ['/payment', '/gift', '/free-trial', '/xmas']

test('NAV-51: checkout, payment problem, gifts, trial and not-found page are only loaded when they are opened', () => {
  const files = routeFiles()
  const later = ON_DEMAND.filter((id) => id in files)
  expect(later.length).toBeGreaterThan(4)
  const partsOf = (id: string) =>
    [...manifestChunks()]
      .filter(([key]) => key.startsWith(`${files[id]}?tsr-split=`))
      .map(([, { file }]) => file)
  const form = chunksWith('Fill in your card number first.')
  expect(form).not.toEqual([])
  for (const id of Object.keys(files)) {
    const fetched = withImports(scriptsOf(firstView(id)))
    const others = later.filter((each) => each !== id).flatMap(partsOf)
    expect(others.length).toBeGreaterThan(0)
    const unasked = [...others, ...(TILLS.includes(id) ? [] : form)]
    expect(
      unasked.filter((file) => fetched.includes(file)),
      id,
    ).toEqual([])
  }
})

const routeFiles = (): Record<string, string> =>
  JSON.parse(readFileSync(join(ROOT, 'dist/ssr/route-files.json'), 'utf8'))

/** The server-rendered page of this route. */
const firstView = (routeId: string, parts: readonly string[] = []): string =>
  new Template(CLIENT).fill(
    { head: '', app: '', data: 'null', asked: '[]', routeIds: ['__root__', routeId], parts },
    { html: '', style: undefined },
  ).html

const scriptsOf = (html: string): string[] => [
  ...new Set([...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file!)),
]

interface Chunk {
  readonly file: string
  readonly name?: string
  readonly src?: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}

const manifestChunks = () => chunksOf('.vite/manifest.json')
const chunksOf = (manifest: string): ReadonlyMap<string, Chunk> =>
  new Map(Object.entries(JSON.parse(readFileSync(join(CLIENT, manifest), 'utf8')) as Record<string, Chunk>))

function withImports(files: readonly string[], manifest = manifestChunks()): string[] {
  const found = new Set<string>()
  const visit = ({ file, imports = [] }: Chunk) => {
    if (found.has(file)) return
    found.add(file)
    for (const key of imports) visit(manifest.get(key)!)
  }
  for (const chunk of manifest.values()) if (files.includes(chunk.file)) visit(chunk)
  return [...found]
}

const chunksWith = (mark: string): string[] =>
  readdirSync(join(CLIENT, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => `assets/${name}`)
    .filter((file) => bytesOf(file).includes(mark))

const bytesOf = (file: string): Buffer => readFileSync(join(CLIENT, file))
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

const sourcesOf = (part: string): string[] =>
  existsSync(join(SERVER, `${part}.map`))
    ? JSON.parse(readFileSync(join(SERVER, `${part}.map`), 'utf8')).sources
    : []
