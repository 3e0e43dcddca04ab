// @vitest-environment happy-dom
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { connectivity } from '#net/connectivity.ts'
import { askAgainAfterSilence, keepCatalogueHere } from './after-first-paint.ts'

const HOUR_MS = 3_600_000
const { keepCatalogue } = vi.hoisted(() => ({ keepCatalogue: vi.fn(async () => undefined) }))
vi.mock('#storage/messages.ts', () => ({ keepCatalogue }))

const connection = Object.assign(new EventTarget(), { saveData: false, type: 'wifi' })
const comeBack = () => document.dispatchEvent(new Event('visibilitychange'))

beforeEach(() => {
  vi.useFakeTimers()
  keepCatalogue.mockClear()
  Object.assign(connection, { saveData: false, type: 'wifi' })
  Object.defineProperty(navigator, 'connection', { value: connection, configurable: true })
})

test('stores the catalogue once the page is idle, and again when its tab is shown an hour later', () => {
  keepCatalogueHere()
  expect(keepCatalogue).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(HOUR_MS / 2)
  comeBack()
  expect(keepCatalogue).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(HOUR_MS)
  comeBack()
  expect(keepCatalogue).toHaveBeenCalledTimes(2)
})

test('nothing is fetched with Save-Data or on a mobile network; the fetch follows on an unmetered one', () => {
  connection.saveData = true
  keepCatalogueHere()
  Object.assign(connection, { saveData: false, type: 'cellular' })
  connection.dispatchEvent(new Event('change'))
  expect(keepCatalogue).not.toHaveBeenCalled()
  connection.type = 'wifi'
  connection.dispatchEvent(new Event('change'))
  expect(keepCatalogue).toHaveBeenCalledTimes(1)
})

test('queries answered from the device while the server was silent are refetched when it answers, and no others', () => {
  const client = new QueryClient()
  client.setQueryData(['before'], 1)
  vi.advanceTimersByTime(60_000)
  askAgainAfterSilence(client)
  connectivity.lost()
  client.setQueryData(['made here'], 1)
  connectivity.note(true)
  const isStale = (key: string) => client.getQueryState([key])?.isInvalidated
  expect([isStale('before'), isStale('made here')]).toEqual([false, true])
})

test('a query that failed while the server was silent is refetched when it answers', async () => {
  const client = new QueryClient()
  askAgainAfterSilence(client)
  connectivity.lost()
  const queryFn = vi.fn().mockRejectedValueOnce(new Error('no network')).mockResolvedValue('here')
  const observer = new QueryObserver(client, { queryKey: ['bag'], queryFn, retry: false })
  const stop = observer.subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(observer.getCurrentResult().isError).toBe(true)
  connectivity.note(true)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(observer.getCurrentResult().data).toBe('here')
  stop()
})
