// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { readScheme, writeScheme } from './scheme.ts'

afterEach(() => {
  vi.restoreAllMocks()
  writeScheme('system')
})

test('a chosen scheme applies at once and is stored', () => {
  writeScheme('dark')
  expect(document.documentElement.dataset.scheme).toBe('dark')
  expect(readScheme()).toBe('dark')
  writeScheme('system')
  expect(document.documentElement.dataset.scheme).toBeUndefined()
  expect(readScheme()).toBe('system')
})

test('invalid values and blocked storage fall back to the system scheme', () => {
  localStorage.setItem('scheme', 'mauve')
  expect(readScheme()).toBe('system')
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  expect(readScheme()).toBe('system')
  writeScheme('light')
  expect(document.documentElement.dataset.scheme).toBe('light')
})
