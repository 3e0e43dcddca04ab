import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the version in package.json has the newest entry in the changelog', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const entries = [...readFileSync('docs/changelog.md', 'utf8').matchAll(/^## (\S+)/gm)].map(
    ([, entry]) => entry,
  )
  expect(entries[0]).toBe(version)
})
