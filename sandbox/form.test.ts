import { expect, test } from 'vitest'
import { secondsOf } from './clock.ts'
import { parseForm } from './form.ts'
import { Reader } from './params.ts'

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('brackets nest and numbers make lists, encoded or not', () => {
  expect(plain(parseForm('a=1&b[c]=2&b[d][0]=x&b[d][1]=y&e%5B0%5D%5Bf%5D=3&g[]=p&g[]=q&h='))).toEqual({
    a: '1',
    b: { c: '2', d: ['x', 'y'] },
    e: [{ f: '3' }],
    g: ['p', 'q'],
    h: '',
  })
})

test('no parameter name reaches a prototype', () => {
  parseForm('__proto__[polluted]=1&constructor[prototype][polluted]=1')
  expect(({} as { polluted?: string }).polluted).toBeUndefined()
})

test('refuses misspelt, non-numeric and too deeply nested parameters by name', () => {
  const read = (form: string, ...known: string[]) => new Reader(parseForm(form), known)
  expect(() => read('amuont=1', 'amount')).toThrow('Received unknown parameter: amuont')
  expect(() => read('amount=1.5', 'amount').integer('amount')).toThrow('Invalid integer: 1.5')
  expect(() => read('', 'amount').demandText('amount')).toThrow('Missing required param: amount')
  expect(() => read('card[nubmer]=1', 'card').nested('card', ['number'])).toThrow('card[nubmer]')
  expect(() => parseForm(`a${'[b]'.repeat(9)}=1`)).toThrow('Invalid parameter')
})

test('metadata is merged, replaced and cleared', () => {
  const after = (form: string) => new Reader(parseForm(form), ['metadata']).metadata({ a: '1', b: '2' })
  expect(after('metadata[b]=3&metadata[c]=4')).toEqual({ a: '1', b: '3', c: '4' })
  expect(after('metadata[a]=')).toEqual({ b: '2' })
  expect(after('metadata=')).toEqual({})
})

test.each([
  ['P30D', 30 * 86_400],
  ['P1Y', 365 * 86_400],
  ['P1M', 30 * 86_400],
  ['PT1H30M', 5_400],
  ['P1DT1S', 86_401],
])('the clock accepts %s', (duration, seconds) => {
  expect(secondsOf(duration)).toBe(seconds)
})

test.each(['', 'P', 'PT', '30', 'P1H'])('the clock refuses the ambiguous duration %j', (duration) => {
  expect(() => secondsOf(duration)).toThrow('Not a duration')
})
