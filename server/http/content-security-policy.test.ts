import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pagePolicy } from './content-security-policy.ts'

const policy = pagePolicy({ scripts: ['start()'], styles: ['p {}'], development: false })
const directive = (name: string, of = policy) =>
  of.split('; ').find((each) => each.startsWith(`${name} `)) ?? expect.fail(`no ${name}`)

test('inline scripts and styles run only if the page names them, also in e-books', () => {
  expect(directive('script-src')).not.toMatch(/unsafe|blob:|data:/)
  expect(directive('style-src')).not.toContain('unsafe')
  expect(directive('frame-src')).toContain('blob:')
})

test('the inline style of the installed reader library is allowed', () => {
  const source = readFileSync(new URL('../../node_modules/foliate-js/paginator.js', import.meta.url), 'utf8')
  const [, sheet = ''] = /innerHTML = `<style>(.*?)<\/style>/s.exec(source) ?? []
  const hash = createHash('sha256').update(sheet).digest('base64')
  expect(directive('style-src')).toContain(`'sha256-${hash}'`)
})

test('another origin may deliver sound only if media are delivered from there, and nothing else', () => {
  const how = { scripts: [], styles: [], development: false }
  expect(directive('media-src')).toBe("media-src 'self' blob:")
  expect(directive('connect-src')).toBe("connect-src 'self'")
  const store = pagePolicy({ ...how, media: 'https://s3.example' })
  expect(directive('media-src', store)).toBe("media-src 'self' blob: https://s3.example")
  expect(directive('connect-src', store)).toBe("connect-src 'self' https://s3.example")
  expect(store.split('https://s3.example')).toHaveLength(3)
})
