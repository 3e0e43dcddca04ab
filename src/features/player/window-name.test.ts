// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openedWindowId, openWindow, ownWindowId, takeHandover } from './window-name.ts'

let names: string[]
let nowMs: number
const place = { chapter: 2, seconds: 61 }

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  names = []
  nowMs = 1_000_000
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs)
  vi.spyOn(window, 'open').mockImplementation((_address, name) => {
    names.push(name!)
    return window
  })
})
afterEach(() => {
  window.name = ''
  vi.restoreAllMocks()
})

test('BOOK-19: the second book opens in the existing window, which knows its id', () => {
  expect([openedWindowId(), ownWindowId()]).toEqual([undefined, undefined])
  openWindow({ slug: 'salt', place })
  openWindow({ slug: 'oranges', place })
  expect(names[1]).toBe(names[0])
  window.name = names[0]!
  expect(ownWindowId()).toBe(openedWindowId())
  expect(window.open).toHaveBeenLastCalledWith('/player/oranges', names[0], 'popup,width=376,height=813')
})

test('another tab opens its own window', () => {
  openWindow({ slug: 'salt', place })
  sessionStorage.clear()
  openWindow({ slug: 'salt', place })
  expect(new Set(names).size).toBe(2)
  // A random id, so that no two tabs share a name.
  for (const name of names) expect(name).toMatch(/-[0-9a-f-]{36}$/)
})

test('a blocked window leaves no id and no handover', () => {
  vi.mocked(window.open).mockReturnValue(null)
  expect(openWindow({ slug: 'salt', place })).toBeNull()
  expect([openedWindowId(), takeHandover('salt')]).toEqual([undefined, undefined])
})

test('the place is handed over once, to its own book, within half a minute', () => {
  openWindow({ slug: 'salt', place })
  expect(takeHandover('oranges')).toBeUndefined()
  expect(takeHandover('salt')).toMatchObject({ slug: 'salt', place })
  expect(takeHandover('salt')).toBeUndefined()
  openWindow({ slug: 'salt', place })
  nowMs += 30_000
  expect(takeHandover('salt')).toBeUndefined()
})
