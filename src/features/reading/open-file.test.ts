import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { fromShop } from '#tests/support/shop-response.ts'
import { openFile } from './open-file.ts'

afterEach(() => void vi.unstubAllGlobals())

const open = (answer: Response) => {
  vi.stubGlobal('fetch', async () => answer)
  return openFile(crypto.randomUUID(), 'salt', async () => '/media/salt.epub', new AbortController().signal)
}

test('trap 22: a captive portal’s page is reported as no answer, not as a damaged file', async () => {
  await expect(open(new Response('<html>'))).rejects.toMatchObject({ why: 'no-answer' })
  expect((await open(fromShop('the book'))).size).toBe(8)
})

test('reports that the book was opened, with its bytes if they came from the network', async () => {
  vi.stubGlobal('fetch', async () => fromShop('the book'))
  const opened = vi.fn()
  const address = async () => '/media/salt.epub'
  await openFile(crypto.randomUUID(), 'salt', address, new AbortController().signal, opened)
  expect(opened.mock.calls.map(([bytes]) => bytes.byteLength)).toEqual([8])
})
