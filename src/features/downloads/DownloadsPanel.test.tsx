// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { titleKey } from '#storage/title-key.ts'
import { DownloadsPanel } from './DownloadsPanel.tsx'
import { noDownload, type Download } from './model.ts'
import { forgetDownloads, showDownloads } from './store.ts'

const { holdings } = vi.hoisted(() => ({ holdings: vi.fn() }))
vi.mock('./lazy.ts', () => ({
  openedDownloads: () => Promise.resolve({ holdings, finishedDays: () => Promise.resolve(0) }),
  removeDownload: vi.fn(),
  startDownload: vi.fn(),
}))
const key = titleKey('audio', 'salt')

function show(bytes: number, download: Partial<Download>) {
  const title = { key, title: 'The Salt Ledger', authors: [], kept: 1, files: [{}, {}, {}], cover: null }
  const holding = { title, files: [], begun: new Map(), bytes }
  holdings.mockReturnValue([holding])
  showDownloads(new Map([[key, { ...noDownload(key), ...download }]]))
  render(<DownloadsPanel />)
}
afterEach(() => {
  cleanup()
  forgetDownloads()
})

test('on a full device the row explains the reason and the remedy in whole sentences', async () => {
  show(0, { state: 'failed', failure: 'space' })
  expect(await screen.findByText(/This device is full/)).toHaveProperty(
    'textContent',
    'This device is full. Make some room and try again. 3 chapters',
  )
})

test('with nothing stored yet, the page offers to cancel downloads instead of removing them', async () => {
  show(0, { state: 'failed', failure: 'space' })
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel all downloads' }))
  expect(await screen.findByRole('button', { name: 'Cancel all' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull()
})

test('with stored titles, the page offers to remove them, with their size', async () => {
  show(12_000_000, { state: 'failed', failure: 'space' })
  await userEvent.click(await screen.findByRole('button', { name: 'Remove all downloads' }))
  expect(await screen.findByRole('button', { name: 'Remove all, 12 MB' })).toBeTruthy()
})
