import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '../../src')
const TOKENS = readFileSync(join(SRC, 'ui/tokens.css'), 'utf8')
const WINDOWS = readFileSync(join(SRC, 'ui/windows.css'), 'utf8')

const SPACE = /^(margin|padding)(-[a-z-]+)?$|^((row|column)-)?gap$/
const TYPE = /^font(-size)?$/
/** The allowed number of pixel values that are no token, in all stylesheets together. */
const RAW_PIXELS = 40

/** The properties that each family of tokens is for. A radius of 3 px counts as a cover's only on covers. */
const FAMILIES: readonly (readonly [family: RegExp, properties: RegExp])[] = [
  [/^s\d(-5)?$/, SPACE],
  [/^[td]-/, TYPE],
  [/^r-(?!cover)/, /^border-(\w+-\w+-)?radius$/],
  [/^tap$/, /^min-(width|height|inline-size|block-size)$/],
  [/^max$/, /^max-(width|inline-size)$/],
]

test('a size that has a token is written as its token', () => {
  const found = declarations().flatMap(({ file, property, value }) =>
    value.split(/[\s/]+/).flatMap((part) => {
      const token = tokenFor(property, part)
      return token ? [`${file}: ${property}: ${part} is var(--${token})`] : []
    }),
  )
  expect(found).toEqual([])
})

test('at most forty spaces and font sizes use no token, and each has a comment on its line that says why', () => {
  const raw = lines().flatMap(({ file, line, property, value }) =>
    SPACE.test(property) || TYPE.test(property)
      ? (value.replace(/\/\*.*/, '').match(/(?<![\d.])\d+(\.\d+)?px/g) ?? [])
          .filter((pixels) => pixels !== '0px')
          .map(() => ({ file, line }))
      : [],
  )
  expect(raw.filter(({ line }) => !line.includes('/* '))).toEqual([])
  expect(raw.length).toBeLessThanOrEqual(RAW_PIXELS)
})

test('no font size is in pixels, so that all text follows the size chosen in the browser', () => {
  expect(
    declarations().filter(
      ({ property, value }) => TYPE.test(property) && /(?<![\d.])\d+(\.\d+)?px/.test(value),
    ),
  ).toEqual([])
})

test('no font size of the office is in pixels either, nor a query for the width of its window', () => {
  const office = join(import.meta.dirname, '../../office')
  const files = readdirSync(office, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.css'),
  )
  expect(files.length).toBeGreaterThan(10)
  const found = files.flatMap((file) =>
    readFileSync(join(office, file), 'utf8')
      .split('\n')
      .filter((line) => /^\s*font(-size)?:.*\dpx|^\s*--text[a-z-]*:.*\dpx|@media.*width.*\dpx/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})

test('a line height uses its token, or has a comment on its line that says why not', () => {
  const found = lines().filter(
    ({ line, property, value }) =>
      /^(font|line-height)$/.test(property) &&
      !/(^|\/ ?)(var\(--l-[a-z]+\)|1|inherit)( |$)/.test(value) &&
      !line.includes('/* '),
  )
  expect(found).toEqual([])
})

test('layouts use named media queries, and every name is used', () => {
  const known = [...WINDOWS.matchAll(/@custom-media (--[\w-]+)/g)].map(([, name]) => name)
  const asked = [...sheets()]
    .filter(([file]) => file !== 'ui/windows.css')
    .flatMap(([file, css]) =>
      [...css.matchAll(/@media ([^{]+)\{/g)].map(([, query = '']) => ({ file, query })),
    )
  expect(asked.filter(({ query }) => /width|height/.test(query))).toEqual([])
  const names = asked.flatMap(({ query }) => query.match(/--[\w-]+/g) ?? [])
  expect(known.filter((name) => !names.includes(name!))).toEqual([])
  expect(names.filter((name) => !known.includes(name))).toEqual([])
})

test('components use only classes that their stylesheet or the vocabulary defines, and every class is used', () => {
  const words = classesOf(sheets().get('ui/vocabulary.css')!)
  const asked = new Map<string, Set<string>>([['ui/vocabulary.css', new Set()]])
  const ask = (sheet: string, names: readonly string[]) =>
    asked.set(sheet, new Set([...(asked.get(sheet) ?? []), ...names]))
  for (const [file, code] of parts()) {
    for (const [, ident = '', path = ''] of code.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
      const sheet = path.startsWith('#') ? path.slice(1) : join(dirname(file), path)
      // Indexed by a variable: any class may be meant.
      if (code.includes(`${ident}[`)) ask(sheet, [...classesOf(sheets().get(sheet)!)])
      const uses = new RegExp(`\\b${ident}\\.(?!module\\b|tsx?\\b)(\\w+)`, 'g')
      ask(
        sheet,
        [...code.matchAll(uses)].map(([, name = '']) => name),
      )
    }
    for (const [, names = ''] of code.matchAll(/className="([^"]+)"/g))
      ask('ui/vocabulary.css', names.split(' '))
    ask(
      'ui/vocabulary.css',
      [...words].filter((word) => code.includes(`'${word}'`)),
    )
  }
  for (const css of sheets().values())
    for (const [, names = ''] of css.matchAll(/composes: ([^;]+) from global;/g))
      ask('ui/vocabulary.css', names.split(' '))
  const found = [...sheets()]
    .filter(([file]) => file.endsWith('.module.css') || file === 'ui/vocabulary.css')
    .map(([file, css]) => ({ file, has: sorted(classesOf(css)), asked: sorted(asked.get(file) ?? []) }))
    .filter(({ has, asked }) => has !== asked)
  expect(found).toEqual([])
})

test('a rule with :has says by tag, class or attribute what it styles and inside what it looks', () => {
  // Otherwise each change of a page, such as a box that is ticked, makes the browser style all its elements again.
  const isNamed = (compound: string) => /^[a-z]|[.#[]|^:root/.test(compound)
  const selectors = [...sheets()].flatMap(([file, css]) =>
    [...withoutComments(css).matchAll(/([^{};]+)\{/g)]
      .flatMap(([, rule = '']) => withoutArguments(rule).split(','))
      .filter((selector) => selector.includes(':has'))
      .map((selector) => ({ file, selector, compounds: selector.trim().split(/[\s>+~]+/) })),
  )
  expect(selectors.length).toBeGreaterThan(50)
  const found = selectors.filter(({ compounds }) =>
    compounds.some((each, n) => !isNamed(each) && (each.includes(':has') || n === compounds.length - 1)),
  )
  expect(found).toEqual([])
})

test('a thin underline uses its token', () => {
  expect(
    declarations().filter(
      ({ property, value }) => property === 'text-decoration-thickness' && value === '1px',
    ),
  ).toEqual([])
})

test('every z-index uses a layer’s name', () => {
  const found = declarations().filter(
    ({ property, value }) => property === 'z-index' && !/^var\(--z-[a-z]+\)$/.test(value),
  )
  expect(found).toEqual([])
})

test('every token that a style uses is defined', () => {
  const known = new Set(
    [...sheets().values()].flatMap((css) => [...css.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name)),
  )
  const layers = [...TOKENS.matchAll(/(--z-[a-z]+):/g)].map(([, name]) => name)
  expect(layers.length).toBeGreaterThan(5)
  const asked = declarations().flatMap(({ file, value }) =>
    [...value.matchAll(/var\((--(?:s\d(?:-5)?|[tdrzl]-[\w]+|tap|max))\)/g)].map(([, name]) => ({
      file,
      name,
    })),
  )
  expect(asked.length).toBeGreaterThan(100)
  expect(asked.filter(({ name }) => !known.has(name))).toEqual([])
})

function tokenFor(property: string, value: string): string | undefined {
  const families = FAMILIES.filter(([, properties]) => properties.test(property)).map(([family]) => family)
  return [...sizes()].find(
    ([name, size]) => size === value && families.some((family) => family.test(name)),
  )?.[0]
}

/** Tokens that have the same value at every window size. */
function sizes(): ReadonlyMap<string, string> {
  const root = TOKENS.slice(0, TOKENS.indexOf('@media'))
  const px = (size: string) => (size.endsWith('rem') ? `${Number.parseFloat(size) * 16}px` : size)
  return new Map(
    [...root.matchAll(/--([\w-]+): ([\d.]+(?:px|rem));/g)].map(([, name = '', size = '']) => [
      name,
      px(size),
    ]),
  )
}

const sorted = (names: Iterable<string>) => [...names].sort().join(' ')

function classesOf(css: string): ReadonlySet<string> {
  const selectors = withoutComments(css)
    .replaceAll(/:global\((?:[^()]|\([^()]*\))*\)/g, '')
    .replaceAll(/\{[^{}]*\}/g, '{}')
  return new Set([...selectors.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name))
}

function parts(): ReadonlyMap<string, string> {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.tsx?$/.test(file),
  )
  return new Map(files.map((file) => [file, readFileSync(join(SRC, file), 'utf8')]))
}

/** A selector without what is in parentheses, except the names in `:global` and `:is`, and that there is a `:has`. */
function withoutArguments(selector: string): string {
  const shorter = selector.replaceAll(/:([\w-]+)\(([^()]*)\)/g, (_, name: string, inner: string) => {
    if (name === 'global' || name === 'is') return inner.replaceAll(/,\s*/g, '|')
    return `:${name}${inner.includes(':has') ? ':has' : ''}`
  })
  return shorter === selector ? selector : withoutArguments(shorter)
}

const withoutComments = (css: string) => css.replaceAll(/\/\*[\s\S]*?\*\//g, '')

function sheets(): ReadonlyMap<string, string> {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.css'),
  )
  return new Map(files.map((file) => [file, readFileSync(join(SRC, file), 'utf8')]))
}

/** One-line declarations, with the comment at the end of the line. */
function lines(): { file: string; line: string; property: string; value: string }[] {
  return [...sheets()].flatMap(([file, css]) =>
    [...css.matchAll(/^\s*([a-z-]+):\s*([^;{}]+);.*$/gm)].map(([line, property = '', value = '']) => ({
      file,
      line: line.trim(),
      property,
      value,
    })),
  )
}

function declarations(): { file: string; property: string; value: string }[] {
  return [...sheets()].flatMap(([file, css]) =>
    [...withoutComments(css).matchAll(/(?<=[{;]\s*)([a-z-]+):\s*([^;{}]+);/g)].map(
      ([, property = '', value = '']) => ({ file, property, value }),
    ),
  )
}
