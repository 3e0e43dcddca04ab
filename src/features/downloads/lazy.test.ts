import { afterEach, expect, test, vi } from 'vitest'
import { titleKey } from '#storage/title-key.ts'
import { soon } from '#tests/support/wait-for.ts'
import { openDownloadsOf, startDownload, storedTitle } from './lazy.ts'
import { useDownloadsStore } from './store.ts'

const { openDownloads } = vi.hoisted(() => ({ openDownloads: vi.fn() }))
vi.mock('./downloads.ts', () => ({ openDownloads }))
afterEach(() => void openDownloadsOf(undefined))

test("a database that failed to open is opened again, and screens don't wait for it", async () => {
  const [start, title] = [vi.fn(), vi.fn(() => ({ title: 'Salt' }))]
  openDownloads.mockRejectedValueOnce(new Error('The database does not answer'))
  openDownloads.mockResolvedValue({ start, title, stop: vi.fn() })
  await expect(openDownloadsOf('anna')).rejects.toThrow('does not answer')
  await soon(() => expect(useDownloadsStore.getState().ready).toBe(true))
  await startDownload(titleKey('audio', 'salt'))
  expect(start).toHaveBeenCalledExactlyOnceWith(titleKey('audio', 'salt'))
  expect(await storedTitle('salt')).toEqual({ title: 'Salt' })
  expect(openDownloads).toHaveBeenCalledTimes(2)
})

test('a user who logs in while another user’s downloads are opening sees only their own', async () => {
  const signals: AbortSignal[] = []
  openDownloads.mockImplementation(async (_owner, _ports, left: AbortSignal) => {
    signals.push(left)
    return { stop: vi.fn() }
  })
  await openDownloadsOf('anna')
  await openDownloadsOf('ben')
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
})
