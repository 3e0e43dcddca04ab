// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { enterPayingDocument, forgetReload, isPayingDocument } from './stripe.ts'

const reload = vi.fn<() => void>()
beforeEach(() => {
  sessionStorage.clear()
  document.head.innerHTML = ''
  vi.spyOn(window.location, 'reload').mockImplementation(reload)
})
afterEach(() => {
  vi.restoreAllMocks()
  reload.mockReset()
})
const entered = () =>
  Promise.race([enterPayingDocument().then(() => 'entered'), pause(20).then(() => 'waiting')])
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('a document opened at another page is reloaded, and the screen waits for that', async () => {
  expect(await entered()).toBe('waiting')
  expect(reload).toHaveBeenCalledOnce()
})

test('a document whose policy allows Stripe is not reloaded', async () => {
  document.head.innerHTML = '<meta name="payments" content="allowed" />'
  expect(isPayingDocument()).toBe(true)
  expect(await entered()).toBe('entered')
  expect(reload).not.toHaveBeenCalled()
})

test('a reload that fails is not repeated automatically, but once more on request', async () => {
  await entered()
  expect(await entered()).toBe('entered')
  expect(reload).toHaveBeenCalledOnce()
  forgetReload()
  await entered()
  expect(reload).toHaveBeenCalledTimes(2)
})

test('a successful reload doesn’t count against the next: going back and returning reloads again', async () => {
  await entered()
  document.head.innerHTML = '<meta name="payments" content="allowed" />'
  await entered()
  document.head.innerHTML = ''
  await entered()
  expect(reload).toHaveBeenCalledTimes(2)
})
