import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashOf, noteSandboxTested, sandboxChanged } from './sandbox-changed.ts'

let root: string
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const packages = (stripe: string) => JSON.stringify({ dependencies: { stripe, react: '19.3.1' } })
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'murmur-sandbox-tested-'))
  write('package.json', packages('23.1.0'))
  write('sandbox/pay.ts', `import type Stripe from 'stripe'\n`)
  write('tests/sandbox/type-a-card.spec.ts', '')
})
afterEach(() => rmSync(root, { recursive: true }))

test('an untested sandbox counts as changed, and as unchanged once its tests passed', () => {
  expect(sandboxChanged(root)).toBe(true)
  noteSandboxTested(root)
  expect(sandboxChanged(root)).toBe(false)
})

test.each([
  ['a file is written to', () => write('sandbox/pay.ts', 'export {}\n')],
  ['a file is new', () => write('sandbox/billing/new.ts', '')],
  ['a file is gone', () => rmSync(join(root, 'sandbox/pay.ts'))],
  ['a test of it in a browser is another', () => write('tests/sandbox/type-a-card.spec.ts', 'test()')],
  ['a package that it imports is of another version', () => write('package.json', packages('23.2.0'))],
])('it has changed when %s', (_what, change) => {
  noteSandboxTested(root)
  change()
  expect(sandboxChanged(root)).toBe(true)
})

test('ignores what is not part of the sandbox: other folders, other packages, installed files', () => {
  noteSandboxTested(root)
  write('server/app.ts', '')
  write('sandbox/node_modules/x/index.js', '')
  write('package.json', packages('23.1.0').replace('19.3.1', '20.0.0'))
  expect(sandboxChanged(root)).toBe(false)
})

test('the order of the files makes no difference, but moving text between files does', () => {
  const [a, b] = [
    { path: 'a.ts', text: 'one' },
    { path: 'b.ts', text: 'two' },
  ]
  expect(hashOf([a, b], {})).toBe(hashOf([b, a], {}))
  expect(hashOf([a, b], {})).not.toBe(
    hashOf(
      [
        { ...a, text: 'two' },
        { ...b, text: 'one' },
      ],
      {},
    ),
  )
})

test('recognises packages that are imported by name, by subpath and with a scope', () => {
  const hashWith = (line: string, version: string) =>
    hashOf([{ path: 'a.ts', text: line }], { stripe: version, '@scope/part': version })
  for (const line of [
    `import Stripe from 'stripe'`,
    `import 'stripe'`,
    `const { x } = await import('stripe/deep/file.js')`,
    `export { y } from '@scope/part/z'`,
  ])
    expect(hashWith(line, '1'), line).not.toBe(hashWith(line, '2'))
  for (const line of [
    `import fs from 'node:fs'`,
    `import { z } from './stripe.ts'`,
    `const stripe = 'stripe'`,
  ])
    expect(hashWith(line, '1'), line).toBe(hashWith(line, '2'))
})
