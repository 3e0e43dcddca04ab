// @vitest-environment happy-dom
import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { noDownload, type Download } from '#features/downloads/model.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { flush } from '#tests/support/fake-audio.ts'
import { renderInApp, stagePlayer } from '#tests/support/player-screen.tsx'
import { announce, announced } from '#ui/announce.ts'
import { Player } from './Player.tsx'

const { startDownload, removeDownload } = vi.hoisted(() => ({
  startDownload: vi.fn(),
  removeDownload: vi.fn(),
}))
vi.mock('#features/downloads/lazy.ts', async (original) => ({
  ...(await original<typeof import('#features/downloads/lazy.ts')>()),
  startDownload,
  removeDownload,
}))

const show = () => renderInApp(<Player onMinimise={vi.fn()} onBookPage={vi.fn()} />)
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

beforeEach(() => void vi.clearAllMocks())
afterEach(cleanup)

describe('downloads', () => {
  const KEY = 'audio/the-salt-ledger'
  const become = (part: Partial<Download>) =>
    act(() => useDownloadsStore.setState({ byTitle: new Map([[KEY, { ...noDownload(KEY), ...part }]]) }))
  const ALL = new Map([1, 2, 3].map((chapter) => [chapter, '']))
  beforeEach(() => {
    startDownload.mockImplementation(async () => become({ state: 'downloading', share: 0.05 }))
    removeDownload.mockImplementation(async () => become({}))
  })
  afterEach(() => useDownloadsStore.setState(useDownloadsStore.getInitialState(), true))

  it('a press downloads a book, and another press stops that', async () => {
    await stagePlayer()
    show()
    await press('Download book')
    await press('5%, stop download')
    expect(await screen.findByRole('button', { name: 'Download book' })).toBeTruthy()
  })

  it('stopping an advanced download asks the listener first', async () => {
    become({ state: 'downloading', share: 0.95, stored: ALL })
    await stagePlayer()
    show()
    await press('95%, stop download')
    expect(await screen.findByRole('dialog', { name: 'Stop downloading The Salt Ledger?' })).toBeTruthy()
    expect(removeDownload).not.toHaveBeenCalled()
  })

  it('after a download during playback, tool, state line and chapter list show the book as stored', async () => {
    const { engine } = await stagePlayer()
    show()
    act(() => engine.play())
    await act(flush)
    become({ state: 'done', share: 1, stored: ALL })
    expect(engine.state()).toMatchObject({ status: 'playing', stored: false })
    expect(screen.getByRole('button', { name: 'Saved on this device' })).toBeTruthy()
    expect(screen.getByText('Saved on this device')).toBeTruthy()
    const list = within(screen.getByRole('region', { name: 'Chapters' })).getByRole('list')
    const rows = within(list).getAllByRole('button')
    expect(rows.map(({ textContent }) => textContent.includes('downloaded'))).toEqual([true, true, true])
    expect(rows.every((row) => row.querySelector('svg'))).toBe(true)
  })

  it.each([
    ['during the download', [{ state: 'downloading', share: 0.3 }]],
    ['before anything was fetched', []],
  ] as const)(
    'a device that is full %s: the player keeps showing the reason and advice',
    async (_when, before) => {
      const FULL = 'This device is full. Make some room and try again.'
      announce('')
      startDownload.mockImplementation(async () => {
        for (const part of before) become(part)
        become({ state: 'failed', failure: 'space' })
      })
      await stagePlayer()
      show()
      await press('Download book')
      expect(screen.getByText(FULL)).toBeTruthy()
      expect(announced().polite).toBe(FULL)
      expect(screen.getByRole('button', { name: 'Try again to download' })).toBeTruthy()
      become({ state: 'downloading', share: 0.1 })
      expect(screen.queryByText(FULL)).toBeNull()
    },
  )

  it('a failure from an earlier day is shown, but not announced', async () => {
    announce('')
    await stagePlayer()
    show()
    become({ state: 'failed', failure: 'broken' })
    expect(screen.getByText('The download didn’t finish. Try again.')).toBeTruthy()
    expect(announced().polite.trim()).toBe('')
  })

  it('is shown for books, not for samples, which are never stored', async () => {
    become({ state: 'done', share: 1, stored: ALL })
    await stagePlayer()
    const { unmount } = show()
    expect(screen.getByRole('button', { name: 'Saved on this device' })).toBeTruthy()
    const storedParts = () => document.querySelectorAll('.stored').length
    expect(storedParts()).toBe(1)
    unmount()
    await stagePlayer({ kind: 'sample' })
    show()
    expect(storedParts()).toBe(0)
  })
})
