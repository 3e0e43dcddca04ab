import { expect, test } from 'vitest'
import { generationOf, withRun, worseThan } from './kept-ratios.ts'
import type { Row } from './report.ts'

const row = (what: string, value: number, goal: Row['goal'], unit: Row['unit'] = ''): Row => ({
  what,
  figures: '',
  value,
  unit,
  goal,
})

test('names a value that is worse by more than a quarter, in either direction', () => {
  const kept = { 'a list': 0.4, memory: 200, 'first paint': 400 }
  const rows = (list: number, memory: number) => [
    row('a list', list, { least: 0.3 }),
    row('memory', memory, { most: 300 }, 'MB'),
    // Times are not compared: they depend on the machine.
    row('first paint', 4_000, { most: 600 }, 'ms'),
    // Has no earlier value.
    row('sound', 0.01, { least: 0.9 }),
  ]
  expect(worseThan(kept, rows(0.31, 249))).toEqual([])
  expect(worseThan(kept, rows(0.29, 249))).toEqual(['a list: 0.29, and it was 0.4.'])
  expect(worseThan(kept, rows(0.31, 251))).toEqual(['memory: 251, and it was 200.'])
})

test('does not blame a value whose better rounds are as good as the stored one', () => {
  const flood = (value: number, spread: Row['spread']): Row => ({
    ...row('others', value, { most: 1.4 }, '×'),
    spread,
  })
  const kept = { others: 1.6 }
  expect(worseThan(kept, [flood(2.4, [1.9, 2.7])])).toEqual([])
  expect(worseThan(kept, [flood(2.4, [2.1, 2.7])])).toEqual(['others: 2.4, and it was 1.6.'])
  expect(
    worseThan({ 'a list': 0.4 }, [{ ...row('a list', 0.2, { least: 0.3 }), spread: [0.1, 0.29] }]),
  ).toHaveLength(1)
  expect(
    worseThan({ 'a list': 0.4 }, [{ ...row('a list', 0.2, { least: 0.3 }), spread: [0.1, 0.31] }]),
  ).toEqual([])
})

test('stores the worst value of all runs', () => {
  const run = (list: number, memory: number) => [
    row('a list', list, { least: 0.3 }),
    row('memory', memory, { most: 300 }, 'MB'),
  ]
  const kept = withRun(withRun({ flood: 1.5 }, run(0.66, 157)), run(0.42, 150))
  expect(kept).toEqual({ flood: 1.5, 'a list': 0.42, memory: 157 })
})

test('tells two generations of processors with one name apart', () => {
  const cpuInfo = (model: number) =>
    `processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 23\nmodel\t\t: ${model}\nmodel name\t: AMD EPYC\n`
  expect(generationOf(cpuInfo(1))).toBe(' (family 23, model 1)')
  expect(generationOf(cpuInfo(49))).toBe(' (family 23, model 49)')
  expect(generationOf('processor\t: 0\nBogoMIPS\t: 243.75\n')).toBe('')
})
