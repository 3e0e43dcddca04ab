import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '../../src')
const TOKENS = readFileSync(join(SRC, 'ui/tokens.css'), 'utf8')

/** What the tokens of a family are for. Radii of 3 px are a cover's only where a cover is meant. */
const FAMILIES: readonly (readonly [family: RegExp, properties: RegExp])[] = [
  [/^s\d$/, /^(margin|padding)(-[a-z-]+)?$|^((row|column)-)?gap$/],
  [/^(t-|d-sm)/, /^font(-size)?$/],
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

test('a thin underline is the token’s', () => {
  expect(
    declarations().filter(
      ({ property, value }) => property === 'text-decoration-thickness' && value === '1px',
    ),
  ).toEqual([])
})

test('what lies above what is said by a layer’s name', () => {
  const found = declarations().filter(
    ({ property, value }) => property === 'z-index' && !/^var\(--z-[a-z]+\)$/.test(value),
  )
  expect(found).toEqual([])
})

test('every token that a style asks for is there', () => {
  const known = new Set(
    [...sheets().values()].flatMap((css) => [...css.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name)),
  )
  const layers = [...TOKENS.matchAll(/(--z-[a-z]+):/g)].map(([, name]) => name)
  expect(layers.length).toBeGreaterThan(5)
  const asked = declarations().flatMap(({ file, value }) =>
    [...value.matchAll(/var\((--(?:s\d|[tdrz]-[\w]+|tap|max))\)/g)].map(([, name]) => ({ file, name })),
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

/** Tokens that are the same in every window. */
function sizes(): ReadonlyMap<string, string> {
  const root = TOKENS.slice(0, TOKENS.indexOf('@media'))
  return new Map([...root.matchAll(/--([\w-]+): (\d+px);/g)].map(([, name = '', size = '']) => [name, size]))
}

function sheets(): ReadonlyMap<string, string> {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.css'),
  )
  return new Map(files.map((file) => [file, readFileSync(join(SRC, file), 'utf8')]))
}

function declarations(): { file: string; property: string; value: string }[] {
  return [...sheets()].flatMap(([file, css]) =>
    [...css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/(?<=[{;]\s*)([a-z-]+):\s*([^;{}]+);/g)].map(
      ([, property = '', value = '']) => ({ file, property, value }),
    ),
  )
}
