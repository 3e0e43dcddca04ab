// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { titleKey } from '#storage/title-key.ts'
import { DownloadButton } from './DownloadButton.tsx'
import { removeDownload } from './lazy.ts'
import { noDownload } from './model.ts'
import { forgetDownloads, showDownloads } from './store.ts'

vi.mock('./lazy.ts', () => ({ removeDownload: vi.fn(() => Promise.resolve()), startDownload: vi.fn() }))
const key = titleKey('audio', 'salt')
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

beforeEach(() => {
  vi.clearAllMocks()
  showDownloads(
    new Map([[key, { ...noDownload(key), state: 'done', bytes: 12_000_000, totalBytes: 12_000_000 }]]),
  )
  render(<DownloadButton titleKey={key} of="The Salt Ledger" />)
})
afterEach(() => {
  cleanup()
  forgetDownloads()
})

test('one click on a finished download asks first, and Keep it keeps the sound', async () => {
  await press('Downloaded, remove The Salt Ledger')
  await screen.findByRole('dialog', { name: 'Remove The Salt Ledger from this device?' })
  await press('Keep it')
  expect(removeDownload).not.toHaveBeenCalled()
})

test('the second click removes it', async () => {
  await press('Downloaded, remove The Salt Ledger')
  await press('Remove, 12 MB')
  expect(removeDownload).toHaveBeenCalledExactlyOnceWith(key)
})

test.each([
  [0.95, true],
  [0.02, false],
])('a download with a share of %d asks before it is removed: %s', async (share, asks) => {
  const half = { ...noDownload(key), state: 'downloading', share, bytes: share * 100_000_000 } as const
  act(() => showDownloads(new Map([[key, half]])))
  await userEvent.click(
    screen.getByRole('button', { name: /^Stop downloading The Salt Ledger|The Salt Ledger/ }),
  )
  expect(vi.mocked(removeDownload).mock.calls).toHaveLength(asks ? 0 : 1)
  if (!asks) return
  await screen.findByRole('dialog', { name: 'Stop downloading The Salt Ledger?' })
  await press('Stop and remove, 95 MB')
  expect(removeDownload).toHaveBeenCalledExactlyOnceWith(key)
})
