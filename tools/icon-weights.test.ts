import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { iconWeights } from './icon-weights.ts'

const transform = iconWeights().transform as (
  this: { error: (why: string) => never },
  code: string,
  id: string,
) => { code: string } | undefined
const failing = {
  error: (why: string): never => {
    throw new Error(why)
  },
}
const icon = (name: string) => `node_modules/@phosphor-icons/react/dist/defs/${name}.es.js`
const id = icon('Books')

test.each([
  ['Books', ['fill', 'regular']],
  ['Handbag', ['regular']],
])('the icon %s keeps the weights in use', (name, weights) => {
  const { code } = transform.call(failing, readFileSync(icon(name), 'utf8'), `/${icon(name)}`) ?? { code: '' }
  expect([...code.matchAll(/"(bold|duotone|fill|light|regular|thin)",/g)].map((match) => match[1])).toEqual(
    weights,
  )
  expect(code).toMatch(/new Map\(\[[\s\S]+\]\);/)
})

test('an icon module with an unknown layout stops the build; other modules are unchanged', () => {
  expect(() => transform.call(failing, 'export default {}', `/${id}`)).toThrow(/another form/)
  expect(transform.call(failing, 'code', '/src/main.tsx')).toBeUndefined()
})
