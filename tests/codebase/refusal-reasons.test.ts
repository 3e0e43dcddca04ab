import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** A message is compared, searched, or used as a key. */
const COMPARES = [
  /\b(?:description|discountMessage)\b\s*(?:[!=]==|\??\.(?:includes|startsWith|endsWith|indexOf|search|match)\()/,
  /[!=]==\s*[\w.?]*\b(?:description|discountMessage)\b/,
  /(?:[!=]==|\bcase)\s*[A-Z_]*(?:MESSAGES|REFUSALS)\b/,
  /\b[A-Z_]*(?:MESSAGES|REFUSALS)\.\w+\s*[!=]==|\.(?:includes|startsWith)\([A-Z_]*(?:MESSAGES|REFUSALS)\b/,
  /\[[\w.?]*(?:\bdescription|[rR]efusal(?:Text|Message)\(\w+\))\]/,
]
const comparesText = (code: string) => COMPARES.some((pattern) => pattern.test(code))

test('no code of the app decides by the words of a message: the API sends a reason', () => {
  const files = globSync('{src,sw}/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['**/*.test.{ts,tsx}'] })
  const found = files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (comparesText(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  )
  expect(found).toEqual([])
})

test.each([
  "description.includes('already taken') ? A : B",
  'if (problem.description.includes(MESSAGES.totalHasChanged))',
  'if (problem.description === CARD_REFUSALS.alreadyActivated)',
  'if (why === CARD_REFUSALS.alreadyOwned) return keepForAnother(owned)',
  'if (found.problem !== MESSAGES.discountFailed) rememberPlanCode(undefined)',
  'toast(TOO_LATE[refusalText(problem)] ?? SAVED)',
  'message: YOURS[problem.description] ?? problem.description,',
  "words.startsWith(MESSAGES.invalidEmail) && 'email'",
])('the search finds: %s', (code) => expect(comparesText(code)).toBe(true))
