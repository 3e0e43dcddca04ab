import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEMO_CONTENT } from '#demo/demo-folders.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'
import { bodyOf } from './markdown.ts'

const PICTURE = { id: 'ab'.repeat(16), width: 900, height: 600 }
const html = async (markdown: string) => (await bodyOf(markdown, async () => PICTURE)).html

test('OFFICE-41: each text of the demo becomes Markdown that makes the same page', async () => {
  const files = [
    'pages',
    'faq',
    'editorial/articles',
    'editorial/interviews',
    'editorial/discussions',
  ].flatMap((folder) =>
    readdirSync(join(DEMO_CONTENT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(DEMO_CONTENT, folder, name)),
  )
  expect(files.length).toBeGreaterThan(40)
  for (const file of files) {
    const first = await html(readFileSync(file, 'utf8').replace(/^---[\s\S]*?\n---\n/, ''))
    expect(await html(htmlToMarkdown(first)), file).toBe(first)
  }
})

test.each([
  ['- a\n- *b*', 'lists'],
  ['1. a\n2. b', 'numbered lists'],
  ['> a\n>\n> b', 'quotations'],
  ['| a | b |\n|---|---|\n| 1 | 2 |', 'tables'],
  ['![A lamp](picture:tide "Sixty-two lamps")', 'figures'],
  ['1\\. is no list, and \\* no star', 'escaped signs'],
  ['[a](https://a.example/) and [b](/browse)', 'links'],
])('%s survives', async (markdown) => {
  const first = await html(markdown)
  expect(await html(htmlToMarkdown(first))).toBe(first)
})
