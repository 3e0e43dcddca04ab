import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
/** To a file: neither an address with a scheme nor a place on the same page. */
const LINK = /\]\((?!\w+:|#)([^)#\s]+)/g

test('every file that a README or a decision shows or leads to is there', () => {
  const texts = ['*.md', '{bench,content,contract,docs,sandbox,server,src,sw,tests}/**/{README,00*}.md']
  const missing = globSync(texts, { cwd: ROOT }).flatMap((text) =>
    [...readFileSync(join(ROOT, text), 'utf8').matchAll(LINK)]
      .map(([, link]) => link!)
      .filter((link) => !existsSync(join(ROOT, dirname(text), link)))
      .map((link) => `${text}: ${link}`),
  )
  expect(missing).toEqual([])
})
